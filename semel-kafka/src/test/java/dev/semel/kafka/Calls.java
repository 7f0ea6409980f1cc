package dev.semel.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.StoreException;
import dev.semel.transport.Delivery;
import dev.semel.transport.Published;
import dev.semel.transport.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Calls that wait, and fail as a test should. */
final class Calls {
  static final Duration LIMIT = Duration.ofSeconds(30);

  private Calls() {}

  static Published get(CompletionStage<Published> sent) {
    try {
      return sent.toCompletableFuture().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StoreException failed) {
        throw failed;
      }
      throw new AssertionError(e);
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  static List<Delivery> receive(Subscription from, int count) throws InterruptedException {
    List<Delivery> got = new ArrayList<>();
    long start = System.nanoTime();
    while (got.size() < count && System.nanoTime() - start < LIMIT.toNanos()) {
      try {
        got.addAll(from.receive(count - got.size(), Duration.ofSeconds(1)));
      } catch (StoreException e) {
        assertThat(e).hasMessageContaining("reached");
      }
    }
    return got;
  }
}
