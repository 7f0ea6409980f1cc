package dev.semel.redis;

import static org.assertj.core.api.Assertions.fail;

import dev.semel.transport.Delivery;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.Published;
import dev.semel.transport.Subscription;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What the tests of messages say again and again. */
final class StreamWords {
  static final Duration LIMIT = Duration.ofSeconds(30);

  private StreamWords() {}

  static Published get(CompletionStage<Published> sent) {
    try {
      return sent.toCompletableFuture().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof PublishFailed failed) {
        throw failed;
      }
      throw new AssertionError("a failure of another kind", e.getCause());
    } catch (TimeoutException | InterruptedException e) {
      throw new AssertionError("neither confirmed nor failed", e);
    }
  }

  /** So many, or it fails. */
  static List<Delivery> receive(Subscription from, int count) throws InterruptedException {
    List<Delivery> got = new ArrayList<>();
    long start = System.nanoTime();
    while (got.size() < count) {
      got.addAll(from.receive(count - got.size(), Duration.ofMillis(500)));
      if (System.nanoTime() - start > LIMIT.toNanos()) {
        fail("only %d of %d came: %s", got.size(), count, texts(got));
      }
    }
    return got;
  }

  static String text(Delivery delivery) {
    return new String(delivery.message().payload(), StandardCharsets.UTF_8);
  }

  static List<String> texts(List<Delivery> deliveries) {
    return deliveries.stream().map(StreamWords::text).toList();
  }
}
