package dev.semel.cli.serve;

import dev.semel.InvalidInput;
import dev.semel.server.http.ShutdownTimes;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the shutdown of a listening process. */
final class DrainOptions {
  /** Limit of each: longer than any service manager waits. */
  static final Duration LONGEST = Duration.ofMinutes(15);

  @Option(
      names = "--drain",
      paramLabel = "TIME",
      description =
          "Told to terminate, go on for this long, but not ready, so that load balancers turn to"
              + " others (default: not at all; Ctrl-C never waits).")
  private @Nullable Duration drain;

  @Option(
      names = "--grace",
      paramLabel = "TIME",
      defaultValue = "10s",
      description =
          "How long requests in progress may then take until they are cut off (default:"
              + " ${DEFAULT-VALUE}).")
  private Duration grace = Duration.ofSeconds(10);

  ShutdownTimes times() {
    return new ShutdownTimes(
        drain == null ? Duration.ZERO : checked("--drain", drain), checked("--grace", grace));
  }

  private static Duration checked(String name, Duration time) {
    if (time.compareTo(LONGEST) > 0) {
      throw new InvalidInput("%s can be %d minutes at most".formatted(name, LONGEST.toMinutes()));
    }
    return time;
  }
}
