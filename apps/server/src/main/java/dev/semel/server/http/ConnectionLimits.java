package dev.semel.server.http;

import dev.semel.InvalidInput;
import java.time.Duration;

/**
 * Limits of callers' connections, which you pass to the settings of a server or gateway.
 *
 * @param maxConnections open at a time; 0: as many as the process has descriptors for. Beyond it,
 *     only health checks are answered
 * @param minBodyRate least bytes per second of a request's body; 0: any
 * @param rateWindow time over which that rate is measured, if the server could take the body all
 *     the while
 */
public record ConnectionLimits(int maxConnections, int minBodyRate, Duration rateWindow) {
  public static final int DEFAULT_MIN_BODY_RATE = 256;

  public ConnectionLimits {
    if (maxConnections < 0) {
      throw new InvalidInput(
          "%d connections are too few: use at least 1, or 0 for as many as there are descriptors for"
              .formatted(maxConnections));
    }
    if (minBodyRate < 0) {
      throw new InvalidInput(
          "bodies can't come with %d bytes per second: use at least 1, or 0 for any rate"
              .formatted(minBodyRate));
    }
    if (rateWindow.toMillis() < 100 || rateWindow.compareTo(Duration.ofHours(1)) > 0) {
      throw new InvalidInput("the rate of bodies is measured over at least 100ms, and at most 1h");
    }
  }

  public static ConnectionLimits defaults() {
    return new ConnectionLimits(0, DEFAULT_MIN_BODY_RATE, Duration.ofSeconds(10));
  }

  public ConnectionLimits withMaxConnections(int count) {
    return new ConnectionLimits(count, minBodyRate, rateWindow);
  }

  public ConnectionLimits withMinBodyRate(int bytesPerSecond) {
    return withMinBodyRate(bytesPerSecond, rateWindow);
  }

  public ConnectionLimits withMinBodyRate(int bytesPerSecond, Duration window) {
    return new ConnectionLimits(maxConnections, bytesPerSecond, window);
  }
}
