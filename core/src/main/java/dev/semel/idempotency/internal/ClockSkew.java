package dev.semel.idempotency.internal;

import dev.semel.idempotency.spi.Store;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The difference between a clock and a store's.
 *
 * @param ahead negative: it is behind
 * @param trip how long the store's answer took; the skew is only sure to within this
 */
public record ClockSkew(Duration ahead, Duration trip) {
  /** Asks the store, and takes its answer for the time in the middle of the round trip. */
  public static ClockSkew measure(Store store, InstantSource clock) {
    Instant before = clock.instant();
    Instant there = store.now();
    Duration trip = Duration.between(before, clock.instant());
    return new ClockSkew(Duration.between(there, before.plus(trip.dividedBy(2))), trip);
  }

  /** The least possible skew, however long each direction took. */
  public Duration sure() {
    Duration sure = ahead.abs().minus(trip);
    return sure.isNegative() ? Duration.ZERO : sure;
  }
}
