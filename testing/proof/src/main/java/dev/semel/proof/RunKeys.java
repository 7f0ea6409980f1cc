package dev.semel.proof;

import dev.semel.Key;
import dev.semel.idempotency.TakeoverPolicy;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The keys of a run: a window over their numbers that moves with the time since the run began.
 * Every worker computes the same window without communication, so workers meet on the same keys,
 * and a worker that was down finds the others' current keys.
 */
record RunKeys(String run, long beganNanos, int perSecond) {
  static final String TENANT = "semel-prove";
  static final String OPERATION = "prove";

  /**
   * The greatest age of a key that is still asked for. Keys that are not new are older than a
   * lease: a lost holder's lease has ended then, and a slow one must have renewed it.
   */
  private static final Duration WINDOW = ProofPlan.LEASE.multipliedBy(3);

  /** Some calls use only this many keys, so that several workers ask for one at once. */
  private static final int NEWEST = 6;

  private static final double TO_THE_NEWEST = 0.3;

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  Key draw(RandomGenerator random, long nowNanos) {
    long newest = Math.max(0, (nowNanos - beganNanos) * perSecond / NANOS_PER_SECOND);
    long age =
        random.nextDouble() < TO_THE_NEWEST
            ? random.nextInt(NEWEST)
            : random.nextLong(within(ProofPlan.LEASE), within(WINDOW) + 1);
    return key(Math.max(0, newest - age));
  }

  /** How many keys begin in that time. */
  private long within(Duration time) {
    return time.toMillis() * perSecond / 1000;
  }

  /** The first moment of a key, at which several workers ask for it at once. */
  record Meeting(Key key, long atNanos) {}

  Meeting next(long nowNanos) {
    long number = Math.max(0, (nowNanos - beganNanos) * perSecond / NANOS_PER_SECOND) + 1;
    return new Meeting(key(number), beganNanos + number * NANOS_PER_SECOND / perSecond);
  }

  private Key key(long number) {
    return Key.of(TENANT, OPERATION, run + "-" + number);
  }

  /** Decided by the key's number, so that all workers use the same policy. */
  TakeoverPolicy takeover(Key key) {
    long number = Long.parseLong(key.id().substring(key.id().lastIndexOf('-') + 1));
    return number % 2 == 0 ? TakeoverPolicy.IN_DOUBT : TakeoverPolicy.RUN_AGAIN;
  }
}
