package dev.semel.cli.serve;

import dev.semel.InvalidInput;
import dev.semel.cli.Console;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a process that listens goes when it is told to terminate. */
final class DrainOptions {
  /** Longest of each: whoever stops the process would have lost patience long before. */
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

  Duration grace() {
    return checked("--grace", grace);
  }

  Duration drain() {
    return drain == null ? Duration.ZERO : checked("--drain", drain);
  }

  private static Duration checked(String name, Duration time) {
    if (time.compareTo(LONGEST) > 0) {
      throw new InvalidInput("%s can be %d minutes at most".formatted(name, LONGEST.toMinutes()));
    }
    return time;
  }

  /**
   * Before a process stops listening: goes on for a while.
   *
   * @param interrupted by someone who waits for it to end
   * @param retire tells callers to turn to others
   */
  static void pass(Duration drain, boolean interrupted, Console console, Runnable retire) {
    retire.run();
    if (interrupted || drain.isZero()) {
      return;
    }
    console.note(
        "told to stop: not ready any more, serving on for %d ms".formatted(drain.toMillis()));
    try {
      boolean unused = new CountDownLatch(1).await(drain.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
