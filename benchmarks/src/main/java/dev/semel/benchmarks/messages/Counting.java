package dev.semel.benchmarks.messages;

import dev.semel.transport.Message;
import dev.semel.transport.PublishResult;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Transport;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;

/** A broker that confirms everything at once and stores nothing. */
final class Counting implements Transport {
  private static final CompletableFuture<PublishResult> TAKEN =
      CompletableFuture.completedFuture(new PublishResult(false, ""));

  private final CountDownLatch left;

  Counting(int expected) {
    this.left = new CountDownLatch(expected);
  }

  void awaitAll() throws InterruptedException {
    left.await();
  }

  @Override
  public String describe() {
    return "counting";
  }

  @Override
  public CompletionStage<PublishResult> publish(Message message) {
    left.countDown();
    return TAKEN;
  }

  @Override
  public boolean keepsOrder() {
    return false;
  }

  @Override
  public Subscription subscribe(String destination, String consumer, SubscribeSettings settings) {
    throw new UnsupportedOperationException("nobody listens");
  }

  @Override
  public List<String> hazards(Duration retrySpan) {
    return List.of();
  }

  @Override
  public void close() {}
}
