package dev.semel.stream.client.internal;

import dev.semel.StoreException;
import dev.semel.loop.internal.Backoff;
import dev.semel.stream.client.ReadOptions;
import java.time.Duration;

/** How long to pause after a failure, and when to give up. For one thread. */
public final class RetrySchedule {
  /** A failure that long after the last one starts with the first pause again. */
  private static final long FORGOTTEN = Duration.ofSeconds(10).toNanos();

  /** A live answer without news should take some time; after a faster one, the reader pauses. */
  private static final long QUICK = Duration.ofMillis(50).toNanos();

  private final ReadOptions options;
  private Backoff backoff;
  private boolean failing;
  private long since;
  private long last;

  public RetrySchedule(ReadOptions options) {
    this.options = options;
    this.backoff = fresh();
  }

  private Backoff fresh() {
    return new Backoff(options.firstPause(), options.longestPause());
  }

  /** The server answered. */
  public void answered(boolean news) {
    failing = false;
    if (news) {
      backoff = fresh();
    }
  }

  /**
   * How long to wait before the next try.
   *
   * @param atLeast the pause that the server asked for
   * @throws StoreException the failure, when the patience is used up
   */
  public long afterFailure(StoreException failure, Duration atLeast) {
    long now = System.nanoTime();
    if (!failing) {
      failing = true;
      since = now;
    }
    long left = since + options.patience().toNanos() - now;
    if (left <= 0) {
      failing = false; // the next call starts with fresh patience
      throw failure;
    }
    return Math.min(left, Math.max(atLeast.toNanos(), pause(now)));
  }

  /** How long to wait before asking again after an answer without news. */
  public long afterNothing(long tookNanos) {
    return tookNanos < QUICK ? pause(System.nanoTime()) : 0;
  }

  private long pause(long now) {
    if (now - last > FORGOTTEN) {
      backoff = fresh();
    }
    last = now;
    return backoff.nextNanos();
  }
}
