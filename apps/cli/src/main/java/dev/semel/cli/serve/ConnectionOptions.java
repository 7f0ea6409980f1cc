package dev.semel.cli.serve;

import dev.semel.server.http.ConnectionLimits;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the limits of a listening process's connections. */
final class ConnectionOptions {
  @Option(
      names = "--max-connections",
      paramLabel = "N",
      description =
          "Connections of callers at a time; beyond it only health checks are answered (default:"
              + " as many as the process may have open, less those that it needs itself).")
  private @Nullable Integer maxConnections;

  @Option(
      names = "--min-body-rate",
      paramLabel = "BYTES",
      defaultValue = "256",
      description =
          "Bytes per second that bodies of requests must come with, over any 10 s; 0: any rate"
              + " (default: ${DEFAULT-VALUE}).")
  private int minBodyRate = ConnectionLimits.DEFAULT_MIN_BODY_RATE;

  ConnectionLimits limits() {
    ConnectionLimits limits = ConnectionLimits.defaults().withMinBodyRate(minBodyRate);
    return maxConnections == null ? limits : limits.withMaxConnections(maxConnections);
  }
}
