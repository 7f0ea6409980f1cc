package dev.semel.cli;

import dev.semel.InvalidInput;
import dev.semel.admin.ControlCenter;
import dev.semel.event.EventLine;
import dev.semel.event.EventStore;
import dev.semel.loop.Backoff;
import java.time.Duration;
import java.util.concurrent.Callable;
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
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

  /** For ever, as far as anyone watches. */
  private static final Duration NO_END = Duration.ofDays(36_500);

  private final Semel semel;

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

  KeysWatchCommand(Semel semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    long left = positive("--count", count, Long.MAX_VALUE);
    Duration time = Duration.ofSeconds(positive("--seconds", seconds, NO_END.toSeconds()));
    Format format = semel.settings().output();
    EventListing listing = new EventListing(semel.console(), format);
    return semel
        .centers()
        .onStore(
            center -> {
              watch(center, listing, left, System.nanoTime() + time.toNanos());
              listing.end();
              return Exit.OK;
            });
  }

  private static long positive(String option, @Nullable Long value, long otherwise) {
    if (value == null) {
      return otherwise;
    }
    if (value < 1 || value > NO_END.toSeconds()) {
      throw new InvalidInput("%s is from 1 to %d".formatted(option, NO_END.toSeconds()));
    }
    return value;
  }

  private void watch(ControlCenter center, EventListing listing, long count, long deadline) {
    String cursor = all ? "" : center.end();
    String begins = new KeyPrefix(prefix).full();
    long left = count;
    Backoff pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
    while (left > 0) {
      EventStore.Page page = center.events(cursor, EventStore.MAX_PAGE);
      for (EventLine line : page.lines()) {
        if (left > 0 && wanted(line, begins)) {
          listing.add(line);
          left--;
        }
      }
      cursor = page.next();
      // Writes out what there is, and notices when nobody reads any more.
      if (semel.console().streams().out().checkError()) {
        return;
      }
      if (!page.lines().isEmpty()) {
        pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
      } else if (left > 0 && !pauses.pauseUntil(deadline)) {
        return;
      }
      if (System.nanoTime() - deadline >= 0) {
        return;
      }
    }
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
