package dev.semel.endtoend;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** How effects follow orders: the longest time in which none took place, and how many waited. */
final class Progress implements AutoCloseable {
  private static final long LOOK_AGAIN_NANOS = 10_000_000L;

  private final Shop shop;
  private final Thread thread;
  private volatile boolean ended;
  private volatile long effects;
  private volatile long longestNanos;
  private volatile long mostWaiting;

  private Progress(Shop shop) {
    this.shop = shop;
    this.thread = Thread.ofPlatform().daemon().unstarted(this::watch);
  }

  static Progress of(Shop shop) {
    Progress progress = new Progress(shop);
    progress.thread.start();
    return progress;
  }

  /** From the first effect on. */
  private void watch() {
    long since = 0;
    while (!ended) {
      long orders = shop.count("orders");
      long now = shop.count("effects");
      if (now > effects) {
        long at = System.nanoTime();
        if (since != 0) {
          longestNanos = Math.max(longestNanos, at - since);
        }
        since = at;
        effects = now;
      }
      if (since != 0) {
        mostWaiting = Math.max(mostWaiting, orders - now);
      }
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
  }

  long effects() {
    return effects;
  }

  Duration longestPause() {
    return Duration.ofNanos(longestNanos);
  }

  long mostWaiting() {
    return mostWaiting;
  }

  /** Stops looking; what was seen stays. */
  @Override
  public void close() {
    ended = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
