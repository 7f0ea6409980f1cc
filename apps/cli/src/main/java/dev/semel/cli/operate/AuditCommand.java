package dev.semel.cli.operate;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.admin.ControlCenter;
import dev.semel.admin.document.internal.AuditDocument;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.event.EventLine;
import dev.semel.event.spi.EventStore;
import dev.semel.json.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Commands on the event log. */
@CommandLine.Command(
    name = "audit",
    header = "Read the event log, check its hash chains, erase ids from it.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  semel audit list --key payments:order-123",
      "  semel audit list -f",
      "  semel audit verify",
      "  semel audit erase --key newsletter:ann@example.com"
    })
public final class AuditCommand {
  private AuditCommand() {}

  public static CommandLine with(SemelCommand semel) {
    CommandLine audit = new CommandLine(new AuditCommand());
    audit.addSubcommand(new Listing(semel));
    audit.addSubcommand(new Verify(semel));
    audit.addSubcommand(new Erase(semel));
    return audit;
  }

  /** Shows lines of the log. */
  @CommandLine.Command(
      name = "list",
      header = "Show events: the newest, those of one key, or all; and those that come.",
      footer = {
        "",
        "Claims and completions are kept up to a number each second, so not all of them are here;",
        "a line of kind skipped says how many are not.",
        "",
        "Examples:",
        "  semel audit list --limit 20",
        "  semel audit list --kind reconciled -o jsonl",
        "  semel audit list --key payments:order-123",
        "  semel audit list -f --kind fenced"
      })
  static final class Listing implements Callable<Integer> {
    private final SemelCommand semel;

    @Option(names = "--key", paramLabel = "KEY", description = "Only events about this key.")
    private @Nullable Key key;

    @Option(
        names = "--kind",
        paramLabel = "KIND",
        description = "Only of this kind, such as replayed, fenced or changed.")
    private @Nullable String kind;

    @Option(
        names = "--limit",
        paramLabel = "N",
        defaultValue = "50",
        description =
            "How many of the newest at most (default: ${DEFAULT-VALUE}); 0 with -f: none.")
    private int limit = 50;

    @Option(names = "--all", description = "From the oldest on, however many.")
    private boolean all;

    @Option(
        names = {"-f", "--follow"},
        description = "Then show what comes, until Ctrl-C.")
    private boolean follow;

    @Option(names = "--mask", description = "Don't show ids and what may be personal.")
    private boolean mask;

    Listing(SemelCommand semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      if (limit < (follow ? 0 : 1) || limit > EventStore.MAX_PAGE) {
        throw new InvalidInput(
            "--limit is from 1 to %d: use --all for more, -f for what comes"
                .formatted(EventStore.MAX_PAGE));
      }
      OutputFormat format = semel.settings().output();
      return semel
          .centers()
          .onStore(center -> follow ? follow(center, format) : list(center, format));
    }

    /**
     * Reads the log's end first, so that no line is missed; lines between both readings come twice
     * and are shown once.
     */
    private int follow(ControlCenter center, OutputFormat format) {
      EventListing listing = new EventListing(semel.console(), format);
      String end = all ? "" : center.end();
      Set<String> shown = new HashSet<>();
      List<EventLine> newest = all || limit == 0 ? List.of() : newest(center);
      try (EventFollower follower = EventFollower.of(semel.console(), listing)) {
        for (EventLine line : newest) {
          shown.add(line.hash());
          if (wanted(line)) {
            follower.show(masked(line));
          }
        }
        follower.follow(
            center,
            end,
            new EventFollower.Selection(
                line -> wanted(line) && !shown.contains(line.hash()),
                this::masked,
                Long.MAX_VALUE,
                System.nanoTime() + EventFollower.NO_END.toNanos()));
        follower.end();
      }
      return ExitCode.OK;
    }

    private EventLine masked(EventLine line) {
      return mask ? line.erased() : line;
    }

    private int list(ControlCenter center, OutputFormat format) {
      EventListing listing = new EventListing(semel.console(), format);
      if (all) {
        printAll(center, listing);
      } else {
        print(newest(center), listing);
      }
      listing.end();
      return ExitCode.OK;
    }

    private List<EventLine> newest(ControlCenter center) {
      return key == null
          ? center.latest(kind == null ? "" : kind, limit)
          : center.about(key, limit);
    }

    private void printAll(ControlCenter center, EventListing listing) {
      String cursor = "";
      while (!semel.console().streams().out().checkError()) {
        EventStore.Page page = center.events(cursor, EventStore.MAX_PAGE);
        print(page.lines(), listing);
        if (page.lines().isEmpty() && page.next().equals(cursor)) {
          return;
        }
        cursor = page.next();
      }
    }

    private void print(List<EventLine> lines, EventListing listing) {
      lines.stream().filter(this::wanted).map(this::masked).forEach(listing::add);
    }

    private boolean wanted(EventLine line) {
      return (kind == null || line.kind().equals(kind)) && (key == null || line.isAbout(key));
    }
  }

  /** Checks the hash chains. */
  @CommandLine.Command(
      name = "verify",
      header = "Check that no event was changed, removed or put elsewhere.",
      description = {
        "",
        "Every process chains its events by hashes; the ends of the chains are kept apart. Someone"
            + " who may write to the store could make all of it up anew: whoever wants to find that"
            + " out keeps what -o json shows of the chains' ends elsewhere.",
        ""
      },
      footer = {"", "Ends with 4 if something was found.", "", "Example:", "  semel audit verify"})
  static final class Verify implements Callable<Integer> {
    private final SemelCommand semel;

    Verify(SemelCommand semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      OutputFormat format = semel.settings().output();
      ControlCenter.Verified verified =
          semel
              .centers()
              .onStore(
                  center ->
                      center.verify(
                          lines -> semel.console().progress("%d events checked".formatted(lines))));
      if (format.machine()) {
        semel.console().line(AuditDocument.json(verified).write());
      } else {
        EventListing.lines(verified.report()).forEach(semel.console()::line);
      }
      return verified.report().intact() ? ExitCode.OK : ExitCode.CONFLICT;
    }
  }

  /** Erases personal ids. */
  @CommandLine.Command(
      name = "erase",
      header = "Erase a key's id, and what else may be personal, from the event log.",
      description = {
        "",
        "The events stay, without saying whose they are, and the hash chains still verify. The"
            + " key's record is another matter: see keys delete.",
        ""
      },
      footer = {"", "Example:", "  semel audit erase --key newsletter:ann@example.com -y"})
  static final class Erase implements Callable<Integer> {
    private final SemelCommand semel;

    @Option(
        names = "--key",
        required = true,
        paramLabel = "KEY",
        description = "id, operation:id or tenant/operation:id.")
    private @Nullable Key key;

    @Option(
        names = {"-y", "--yes"},
        description = "Don't ask.")
    private boolean yes;

    Erase(SemelCommand semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      Key asked = SemelCommand.given(key);
      OutputFormat format = semel.settings().output();
      return semel.centers().onStore(center -> erase(center, asked, format));
    }

    private int erase(ControlCenter center, Key asked, OutputFormat format) {
      int found = center.about(asked, EventStore.MAX_PAGE).size();
      if (found == 0) {
        semel.console().complain("no event names " + asked);
        return ExitCode.NOT_FOUND;
      }
      String touched =
          "erase the id from %s%d events about %s, for good"
              .formatted(found == EventStore.MAX_PAGE ? "at least " : "", found, asked);
      if (!semel.console().confirm(touched, yes)) {
        semel.console().complain("nothing was done");
        return ExitCode.FAILED;
      }
      int erased = center.erase(asked);
      semel
          .console()
          .line(
              format.machine()
                  ? Json.object().with("erased", erased).write()
                  : "erased the id from %d events".formatted(erased));
      return ExitCode.OK;
    }
  }
}
