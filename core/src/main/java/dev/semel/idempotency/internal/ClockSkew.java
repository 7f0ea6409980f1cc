package dev.semel.idempotency.internal;

import dev.semel.idempotency.spi.Store;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * How far a clock is from a store's.
 *
 * @param ahead negative where it is behind
 * @param trip how long the store took to say; so much less is sure
 */
public record ClockSkew(Duration ahead, Duration trip) {
  /** Asks the store, whose answer is taken for the middle of the round trip. */
  public static ClockSkew measure(Store store, InstantSource clock) {
    Instant before = clock.instant();
    Instant there = store.now();
    Duration trip = Duration.between(before, clock.instant());
    return new ClockSkew(Duration.between(there, before.plus(trip.dividedBy(2))), trip);
  }

  /** At least so much, whatever the way took. */
  public Duration sure() {
    Duration sure = ahead.abs().minus(trip);
    return sure.isNegative() ? Duration.ZERO : sure;
  }
}
