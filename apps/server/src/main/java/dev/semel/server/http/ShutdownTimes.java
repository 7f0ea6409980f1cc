package dev.semel.server.http;

import dev.semel.InvalidInput;
import java.time.Duration;

/**
 * Drain and grace of a closing server or gateway, which you pass to its settings.
 *
 * @param drain how long it keeps serving while it is not ready, so that load balancers and callers
 *     choose others
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
