package dev.semel.cli.demo;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A lock that ends after a time, as many use, and that nobody asks again. For one thread. */
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
