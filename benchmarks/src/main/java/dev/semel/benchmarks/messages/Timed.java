package dev.semel.benchmarks.messages;

import dev.semel.transport.Message;
import dev.semel.transport.PublishResult;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Transport;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;

/** A broker that records arrival times. */
final class Timed implements Transport {
  private final BlockingQueue<Long> times = new LinkedBlockingQueue<>();

  long await() throws InterruptedException {
    return times.take();
  }

  @Override
  public String describe() {
    return "timed";
  }

  @Override
  public CompletionStage<PublishResult> publish(Message message) {
    times.add(System.nanoTime());
    return CompletableFuture.completedFuture(new PublishResult(false, ""));
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
