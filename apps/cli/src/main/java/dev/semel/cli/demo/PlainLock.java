package dev.semel.cli.demo;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A lock with a time limit, as many systems use it, whose holder never checks it again. For one
 * thread.
 */
final class PlainLock {
  private final Duration time;
  private long end = System.nanoTime();

  PlainLock(Duration time) {
    this.time = time;
  }

  boolean tryTake() {
    if (left() > 0) {
      return false;
    }
    end = System.nanoTime() + time.toNanos();
    return true;
  }

  /** Takes it as soon as its time is over. */
  void take() throws InterruptedException {
    while (!tryTake()) {
      boolean unused = new CountDownLatch(1).await(left(), TimeUnit.NANOSECONDS);
    }
  }

  private long left() {
    return end - System.nanoTime();
  }
}
