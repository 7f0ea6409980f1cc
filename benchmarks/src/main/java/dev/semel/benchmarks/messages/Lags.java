package dev.semel.benchmarks.messages;

import dev.semel.benchmarks.growth.Load;
import dev.semel.transport.Message;
import dev.semel.transport.PublishResult;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Transport;
import dev.semel.transport.spi.Subscription;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Measures messages' latency: each carries its creation time. */
final class Lags implements Transport {
  private static final int KEYS = 1000;
  private static final int PAYLOAD = 256;

  private final Transport to;
  private final Queue<Long> nanos = new ConcurrentLinkedQueue<>();

  Lags(Transport to) {
    this.to = to;
  }

  static Message stamped(String destination, int number) {
    byte[] payload = ByteBuffer.allocate(PAYLOAD).putLong(System.nanoTime()).array();
    return Message.of(destination, payload).withOrderingKey("k" + number % KEYS);
  }

  /** Records an arrival. */
  void arrived(Message message) {
    nanos.add(System.nanoTime() - ByteBuffer.wrap(message.payload()).getLong());
  }

  @FunctionalInterface
  interface Making {
    void make(int number) throws Exception;
  }

  /**
   * Creates messages at a steady rate; a delay is not caught up in a burst.
   *
   * @return how many
   */
  static int steadily(int perSecond, Duration time, Making making) throws Exception {
    long started = System.nanoTime();
    long step = TimeUnit.SECONDS.toNanos(1) / perSecond;
    int count = 0;
    for (long due = started; due - started < time.toNanos(); due += step) {
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      making.make(count++);
      due = Math.max(due, System.nanoTime() - step);
    }
    return count;
  }

  /** A percentile in milliseconds. */
  double part(double share) {
    return Load.part(nanos.stream().mapToLong(Long::longValue).sorted().toArray(), share) / 1e3;
  }

  @Override
  public String describe() {
    return to.describe();
  }

  @Override
  public CompletionStage<PublishResult> publish(Message message) {
    return to.publish(message)
        .thenApply(
            published -> {
              arrived(message);
              return published;
            });
  }

  @Override
  public boolean keepsOrder() {
    return to.keepsOrder();
  }

  @Override
  public Subscription subscribe(String destination, String consumer, SubscribeSettings settings) {
    return to.subscribe(destination, consumer, settings);
  }

  @Override
  public List<String> hazards(Duration retrySpan) {
    return to.hazards(retrySpan);
  }

  /** Does nothing: the wrapped transport stays open. */
  @Override
  public void close() {}
}
