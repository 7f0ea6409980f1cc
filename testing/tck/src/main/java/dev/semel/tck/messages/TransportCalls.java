package dev.semel.tck.messages;

import dev.semel.StoreException;
import dev.semel.transport.PublishResult;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.Subscription;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Blocking calls of a transport: the expected result arrives, or the test fails. */
public final class TransportCalls {
  /** The limit for expected results, however slow the machine. */
  public static final Duration LIMIT = Duration.ofSeconds(60);

  private static final Duration TURN = Duration.ofSeconds(1);

  private TransportCalls() {}

  /**
   * Waits for the result of a publish.
   *
   * @throws StoreException it failed as a transport may fail: with {@link
   *     dev.semel.transport.PublishFailed}, or because a transport-specific condition was not met
   */
  public static PublishResult get(CompletionStage<PublishResult> sent) {
    try {
      return sent.toCompletableFuture().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StoreException failed) {
        throw failed;
      }
      throw new AssertionError("a failure of another kind", e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("neither confirmed nor failed", e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Receives this many messages; fails on an error. */
  public static List<Delivery> receive(Subscription from, int count) throws InterruptedException {
    List<Delivery> got = new ArrayList<>();
    long start = System.nanoTime();
    while (got.size() < count) {
      got.addAll(from.receive(count - got.size(), TURN));
      requireTime(start, count, got, null);
    }
    return got;
  }

  /** Receives this many messages, and retries while the broker is unreachable. */
  public static List<Delivery> receiveAtLast(Subscription from, int count)
      throws InterruptedException {
    List<Delivery> got = new ArrayList<>();
    long start = System.nanoTime();
    while (got.size() < count) {
      try {
        got.addAll(from.receive(count - got.size(), TURN));
        requireTime(start, count, got, null);
      } catch (StoreException e) {
        requireTime(start, count, got, e);
      }
    }
    return got;
  }

  private static void requireTime(
      long start, int count, List<Delivery> got, @Nullable StoreException last) {
    if (got.size() < count && System.nanoTime() - start > LIMIT.toNanos()) {
      throw new AssertionError(
          "only %d of %d came: %s".formatted(got.size(), count, texts(got)), last);
    }
  }

  /** A delivery's payload as text. */
  public static String text(Delivery delivery) {
    return new String(delivery.message().payload(), StandardCharsets.UTF_8);
  }

  /** The deliveries' payloads as texts, in order. */
  public static List<String> texts(List<Delivery> deliveries) {
    return deliveries.stream().map(TransportCalls::text).toList();
  }
}
