package dev.semel.loop.internal;

import dev.semel.loop.Platform;
import java.time.Duration;
import java.util.function.LongUnaryOperator;

/**
 * Pauses between tries: each about twice the last up to a limit, with jitter so that many callers
 * that failed together do not come back together. For one thread; {@link #pause} computes the same
 * from a number of failures, without an object.
 */
public final class Backoff {
  private final Platform platform;
  private final Duration first;
  private final Duration longest;
  private long failures;

  public Backoff(Duration first, Duration longest) {
    this(Platform.REAL, first, longest);
  }

  public Backoff(Platform platform, Duration first, Duration longest) {
    this.platform = platform;
    this.first = first;
    this.longest = longest;
  }

  /**
   * The pause after this many failures in a row: random between half of the pause without jitter
   * and all of it.
   *
   * @param failures from 1
   * @param random as {@link Platform#random}
   */
  public static Duration pause(
      Duration first, Duration longest, long failures, LongUnaryOperator random) {
    long whole = wholeNanos(first.toNanos(), longest.toNanos(), failures);
    return Duration.ofNanos(jittered(whole, random.applyAsLong(whole / 2 + 1)));
  }

  /** The pause without jitter, for a single caller. */
  public static Duration pauseOfOne(Duration first, Duration longest, long failures) {
    return Duration.ofNanos(wholeNanos(first.toNanos(), longest.toNanos(), failures));
  }

  private static long wholeNanos(long first, long longest, long failures) {
    int doublings = Math.clamp(failures - 1, 0, Long.SIZE - 2);
    return first > longest >> doublings ? longest : first << doublings; // without overflow
  }

  private static long jittered(long whole, long random) {
    return whole / 2 + random;
  }

  /** How long the next pause should be. */
  public long nextNanos() {
    failures++;
    long whole = wholeNanos(first.toNanos(), longest.toNanos(), failures);
    return jittered(whole, platform.random(whole / 2 + 1));
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
