package dev.semel.loop;

import java.time.Duration;

/**
 * Pauses between tries: each about twice the last up to a limit, with jitter so that many who
 * failed together do not come back together. For one thread.
 */
public final class Backoff {
  private final Platform platform;
  private final long longest;
  private long next;

  public Backoff(Duration first, Duration longest) {
    this(Platform.REAL, first, longest);
  }

  public Backoff(Platform platform, Duration first, Duration longest) {
    this.platform = platform;
    this.next = first.toNanos();
    this.longest = longest.toNanos();
  }

  /**
   * How long to pause after a thing has failed, where how often it did is known.
   *
   * @param failures in a row, at least 1
   */
  public static Duration after(long failures, Duration first, Duration longest, Platform platform) {
    long doublings = Math.clamp(failures - 1, 0, Long.SIZE - 2);
    long most = longest.toNanos();
    long whole = first.toNanos() > most >> doublings ? most : first.toNanos() << doublings;
    return Duration.ofNanos(whole / 2 + platform.random(whole / 2 + 1));
  }

  /** How long the next pause should be. */
  public long nextNanos() {
    long now = next;
    next = Math.min(longest, now * 2);
    return now / 2 + platform.random(now / 2 + 1);
  }

  /**
   * Pauses, but not beyond the deadline (on {@link Platform#nanos}).
   *
   * @return false, at once, when the deadline has passed or the thread is interrupted
   */
  public boolean pauseUntil(long deadlineNanos) {
    long left = deadlineNanos - platform.nanos();
    if (left <= 0 || Thread.currentThread().isInterrupted()) {
      return false;
    }
    platform.park(this, Math.min(left, nextNanos()));
    return true;
  }
}
