package dev.semel.cli.keys;

import dev.semel.InvalidInput;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.operate.EventFollower;
import dev.semel.cli.operate.EventListing;
import dev.semel.event.EventLine;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Follows the event log. */
@CommandLine.Command(
    name = "watch",
    header = "Show decisions as they are made, until Ctrl-C.",
    description = {
      "",
      "Processes hand their events to the store once a second. Where there are very many, claims"
          + " and completions are counted instead (kind skipped).",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  semel keys watch --prefix payments:",
      "  semel keys watch --kind in-doubt --count 1",
      "  semel keys watch --seconds 60 -o jsonl"
    })
final class KeysWatchCommand implements Callable<Integer> {
  private final SemelCommand semel;

  @Option(
      names = "--prefix",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "Only keys that start with this, as in keys list.")
  private String prefix = "";

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "Only this kind, such as replayed or in-doubt.")
  private @Nullable String kind;

  @Option(names = "--seconds", paramLabel = "N", description = "End after so long.")
  private @Nullable Long seconds;

  @Option(names = "--count", paramLabel = "N", description = "End after so many.")
  private @Nullable Long count;

  @Option(names = "--all", description = "Begin with all that is there, not with what comes.")
  private boolean all;

  KeysWatchCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    long left = positive("--count", count, Long.MAX_VALUE);
    Duration time =
        Duration.ofSeconds(positive("--seconds", seconds, EventFollower.NO_END.toSeconds()));
    OutputFormat format = semel.settings().output();
    EventListing listing = new EventListing(semel.console(), format);
    return semel
        .centers()
        .onStore(
            center -> {
              try (EventFollower follower = EventFollower.of(semel.console(), listing)) {
                String begins = new KeyPrefix(prefix).full();
                follower.follow(
                    center,
                    all ? "" : center.end(),
                    new EventFollower.Selection(
                        line -> wanted(line, begins),
                        UnaryOperator.identity(),
                        left,
                        System.nanoTime() + time.toNanos()));
                follower.end();
              }
              return ExitCode.OK;
            });
  }

  private static long positive(String option, @Nullable Long value, long otherwise) {
    if (value == null) {
      return otherwise;
    }
    if (value < 1 || value > EventFollower.NO_END.toSeconds()) {
      throw new InvalidInput(
          "%s is from 1 to %d".formatted(option, EventFollower.NO_END.toSeconds()));
    }
    return value;
  }

  private boolean wanted(EventLine line, String begins) {
    if (kind != null && !line.kind().equals(kind)) {
      return false;
    }
    return begins.isEmpty()
        || (!line.personal().erased()
            && (line.tenant() + "/" + line.operation() + ":" + line.personal().id())
                .startsWith(begins));
  }
}
