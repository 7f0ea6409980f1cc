package dev.semel.server.http;

import dev.semel.InvalidInput;
import java.time.Duration;

/**
 * How long it takes until what listens is closed.
 *
 * @param drain how long it goes on as before, but is not ready, so that load balancers and callers
 *     turn to others
 * @param grace how long requests in progress may then take until they are cut off
 */
public record ShutdownTimes(Duration drain, Duration grace) {
  public ShutdownTimes {
    if (drain.isNegative() || grace.isNegative()) {
      throw new InvalidInput("the drain and the grace can't be negative");
    }
  }

  /** No drain, and a grace of ten seconds. */
  public static ShutdownTimes defaults() {
    return new ShutdownTimes(Duration.ZERO, Duration.ofSeconds(10));
  }

  public ShutdownTimes withDrain(Duration time) {
    return new ShutdownTimes(time, grace);
  }

  public ShutdownTimes withGrace(Duration time) {
    return new ShutdownTimes(drain, time);
  }
}
