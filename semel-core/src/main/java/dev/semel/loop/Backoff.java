package dev.semel.loop;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Pauses between tries: each about twice the last up to a limit, with jitter so that many who
 * failed together do not come back together. For one thread.
 */
public final class Backoff {
  private final long longest;
  private long next;

  public Backoff(Duration first, Duration longest) {
    this.next = first.toNanos();
    this.longest = longest.toNanos();
  }

  /** How long the next pause should be. */
  public long nextNanos() {
    long now = next;
    next = Math.min(longest, now * 2);
    return now / 2 + ThreadLocalRandom.current().nextLong(now / 2 + 1);
  }

  /**
   * Pauses, but not beyond the deadline (on {@link System#nanoTime}).
   *
   * @return false, at once, when the deadline has passed or the thread is interrupted
   */
  public boolean pauseUntil(long deadlineNanos) {
    long left = deadlineNanos - System.nanoTime();
    if (left <= 0 || Thread.currentThread().isInterrupted()) {
      return false;
    }
    LockSupport.parkNanos(this, Math.min(left, nextNanos()));
    return true;
  }
}
