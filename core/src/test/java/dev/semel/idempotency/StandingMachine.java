package dev.semel.idempotency;

import dev.semel.loop.Platform;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Its threads are real, and time passes only when the test says so: however slow the machine is, no
 * lease ends unasked. Nobody rests for longer than a moment.
 */
final class StandingMachine implements Platform {
  private static final long MOMENT = Duration.ofMillis(1).toNanos();

  private final AtomicLong now = new AtomicLong(1_000);
  private final AtomicInteger ended = new AtomicInteger();

  /** After so much of a lease it is renewed. */
  static Duration untilRenewal(Duration lease) {
    return lease.dividedBy(10).multipliedBy(7);
  }

  void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  /** How many renewals are over, whatever came of them. */
  int ended() {
    return ended.get();
  }

  @Override
  public long nanos() {
    return now.get();
  }

  @Override
  public void park(Object blocker, long nanos) {
    Platform.super.park(blocker, Math.min(nanos, MOMENT));
  }

  @Override
  public void beside(String name, Runnable task) {
    Platform.super.beside(
        name,
        () -> {
          try {
            task.run();
          } finally {
            ended.incrementAndGet();
          }
        });
  }
}
