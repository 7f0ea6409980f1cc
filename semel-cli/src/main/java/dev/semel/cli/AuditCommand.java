package dev.semel.cli;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.admin.ControlCenter;
import dev.semel.admin.document.AuditDocument;
import dev.semel.event.EventLine;
import dev.semel.event.EventStore;
import dev.semel.json.Json;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The event log. */
@CommandLine.Command(
    name = "audit",
    header = "Read the event log, check its hash chains, erase ids from it.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  semel audit list --key payments:order-123",
      "  semel audit verify",
      "  semel audit erase --key newsletter:ann@example.com"
    })
final class AuditCommand {
  private AuditCommand() {}

  static CommandLine with(Semel semel) {
    CommandLine audit = new CommandLine(new AuditCommand());
    audit.addSubcommand(new Listing(semel));
    audit.addSubcommand(new Verify(semel));
    audit.addSubcommand(new Erase(semel));
    return audit;
  }

  /** Shows lines. */
  @CommandLine.Command(
      name = "list",
      header = "Show events: the newest, those of one key, or all.",
      footer = {
        "",
        "Claims and completions are kept up to a number each second, so not all of them are here;",
        "a line of kind skipped says how many are not.",
        "",
        "Examples:",
        "  semel audit list --limit 20",
        "  semel audit list --kind reconciled -o jsonl",
        "  semel audit list --key payments:order-123"
      })
  static final class Listing implements Callable<Integer> {
    private final Semel semel;

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
        description = "How many of the newest at most (default: ${DEFAULT-VALUE}).")
    private int limit = 50;

    @Option(names = "--all", description = "From the oldest on, however many.")
    private boolean all;

    @Option(names = "--mask", description = "Don't show ids and what may be personal.")
    private boolean mask;

    Listing(Semel semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      if (limit < 1 || limit > EventStore.MAX_PAGE) {
        throw new InvalidInput(
            "--limit is from 1 to %d: use --all for more".formatted(EventStore.MAX_PAGE));
      }
      Format format = semel.settings().output();
      return semel.centers().onStore(center -> list(center, format));
    }

    private int list(ControlCenter center, Format format) {
      EventListing listing = new EventListing(semel.console(), format);
      if (all) {
        printAll(center, listing);
      } else {
        print(newest(center), listing);
      }
      listing.end();
      return Exit.OK;
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
      lines.stream()
          .filter(this::wanted)
          .map(line -> mask ? line.erased() : line)
          .forEach(listing::add);
    }

    private boolean wanted(EventLine line) {
      return (kind == null || line.kind().equals(kind)) && (key == null || line.isAbout(key));
    }
  }

  /** Checks the chains. */
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
    private final Semel semel;

    Verify(Semel semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      Format format = semel.settings().output();
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
      return verified.report().intact() ? Exit.OK : Exit.CONFLICT;
    }
  }

  /** Forgets ids. */
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
    private final Semel semel;

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

    Erase(Semel semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      Key asked = Semel.given(key);
      Format format = semel.settings().output();
      return semel.centers().onStore(center -> erase(center, asked, format));
    }

    private int erase(ControlCenter center, Key asked, Format format) {
      int found = center.about(asked, EventStore.MAX_PAGE).size();
      if (found == 0) {
        semel.console().complain("no event names " + asked);
        return Exit.NOT_FOUND;
      }
      String touched =
          "erase the id from %s%d events about %s, for good"
              .formatted(found == EventStore.MAX_PAGE ? "at least " : "", found, asked);
      if (!semel.console().confirm(touched, yes)) {
        semel.console().complain("nothing was done");
        return Exit.FAILED;
      }
      int erased = center.erase(asked);
      semel
          .console()
          .line(
              format.machine()
                  ? Json.object().with("erased", erased).write()
                  : "erased the id from %d events".formatted(erased));
      return Exit.OK;
    }
  }
}
