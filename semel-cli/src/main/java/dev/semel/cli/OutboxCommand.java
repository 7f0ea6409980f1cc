package dev.semel.cli;

import dev.semel.InvalidInput;
import dev.semel.Printable;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.outbox.OutboxOperations;
import dev.semel.outbox.OutboxOperations.Filter;
import dev.semel.outbox.OutboxOperations.State;
import dev.semel.transport.Message;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Messages on their way from a database to a broker. */
@CommandLine.Command(
    name = "outbox",
    header = "See what waits to be published, and what could not be.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  semel outbox status --database postgresql://app@localhost/shop",
      "  semel outbox list --state dead",
      "  semel outbox retry --destination orders"
    })
final class OutboxCommand {
  private OutboxCommand() {}

  static CommandLine with(Semel semel) {
    CommandLine outbox = new CommandLine(new OutboxCommand());
    outbox.addSubcommand(new StatusCommand(semel));
    outbox.addSubcommand(new ListCommand(semel));
    outbox.addSubcommand(new OutboxPayloadCommand(semel));
    outbox.addSubcommand(new RetryCommand(semel));
    outbox.addSubcommand(new ReplayCommand(semel));
    outbox.addSubcommand(new PurgeCommand(semel));
    outbox.addSubcommand(new AuditingCommand(semel));
    outbox.addSubcommand(new DdlCommand(semel));
    return outbox;
  }

  /** Which messages are meant. */
  static final class FilterOptions {
    @Option(names = "--destination", paramLabel = "NAME", description = "Only to this one.")
    private String destination = "";

    @Option(names = "--id", paramLabel = "ID", description = "Only this one.")
    private @Nullable String id;

    @Option(
        names = "--from",
        paramLabel = "TIME",
        description = "Not before, such as 2026-01-31T10:00:00Z.")
    private @Nullable String from;

    @Option(names = "--until", paramLabel = "TIME", description = "Before.")
    private @Nullable String until;

    Filter filter() {
      return new Filter(destination, Optional.ofNullable(id), time(from), time(until));
    }

    boolean everything() {
      return filter().equals(Filter.ALL);
    }

    private static Optional<Instant> time(@Nullable String text) {
      try {
        return Optional.ofNullable(text).map(Instant::parse);
      } catch (DateTimeParseException e) {
        throw new InvalidInput(
            "%s is no time: write it as 2026-01-31T10:00:00Z"
                .formatted(Printable.quoted(String.valueOf(text))));
      }
    }
  }

  private static State state(String text) {
    try {
      return State.valueOf(text.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new InvalidInput(
          "there is no state %s: use pending, dead or published".formatted(Printable.quoted(text)));
    }
  }

  /**
   * Says how much a change touches, and asks; what touches nothing needs no answer.
   *
   * @param does a sentence with a place for so many messages
   */
  static boolean declined(Semel semel, long count, String does, boolean yes) {
    if (count == 0 || semel.console().confirm(does.formatted(messages(count)), yes)) {
      return false;
    }
    semel.console().note("nothing was done");
    return true;
  }

  private static String messages(long count) {
    return "%,d %s".formatted(count, count == 1 ? "message" : "messages");
  }

  static void count(Semel semel, String done, long count) {
    semel
        .console()
        .line(
            switch (semel.settings().output()) {
              case TABLE -> done + " " + messages(count);
              case JSON, JSONL -> Json.object().with(done, count).write();
              case PLAIN -> Long.toString(count);
            });
  }

  /** How it stands. */
  @CommandLine.Command(
      name = "status",
      header = "How many wait, fail or are dead, how old they are, and which relays run.",
      footer = {"", "Example:", "  semel outbox status -o json"})
  static final class StatusCommand implements Callable<Integer> {
    private final Semel semel;
    @Mixin private final DatabaseOption database = new DatabaseOption();

    StatusCommand(Semel semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      Format format = semel.settings().output();
      return database.withOutbox(
          semel,
          outbox -> {
            OutboxView.lines(outbox.status(), format).forEach(semel.console()::line);
            return Exit.OK;
          });
    }
  }

  /** Lists messages, a page at a time. */
  @CommandLine.Command(
      name = "list",
      header = "List messages without their payload.",
      footer = {"", "Example:", "  semel outbox list --state dead --destination orders"})
  static final class ListCommand implements Callable<Integer> {
    private final Semel semel;
    @Mixin private final DatabaseOption database = new DatabaseOption();
    @Mixin private final FilterOptions filter = new FilterOptions();

    @Option(
        names = "--state",
        paramLabel = "STATE",
        defaultValue = "pending",
        description = "pending, dead or published (default: ${DEFAULT-VALUE}).")
    private String state = "pending";

    @Option(
        names = "--limit",
        paramLabel = "N",
        defaultValue = "100",
        description = "How many at most (default: ${DEFAULT-VALUE}).")
    private int limit = 100;

    @Option(
        names = "--cursor",
        paramLabel = "CURSOR",
        defaultValue = "",
        description = "Go on where the last page ended.")
    private String cursor = "";

    ListCommand(Semel semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      if (limit < 1 || limit > OutboxOperations.MAX_PAGE) {
        throw new InvalidInput(
            "--limit is from 1 to %d: use --cursor to go on".formatted(OutboxOperations.MAX_PAGE));
      }
      State wanted = state(state);
      Filter chosen = filter.filter();
      Format format = semel.settings().output();
      return database.withOutbox(
          semel,
          outbox -> {
            OutboxOperations.Page page = outbox.list(wanted, chosen, cursor, limit);
            OutboxView.lines(page, format).forEach(semel.console()::line);
            if (!page.cursor().isEmpty() && format != Format.JSON) {
              semel
                  .console()
                  .note("there are more: go on with --cursor " + ShellWord.of(page.cursor()));
            }
            if (page.entries().isEmpty() && format == Format.TABLE) {
              semel.console().note("no messages are " + Printable.word(wanted));
            }
            return Exit.OK;
          });
    }
  }

  /** Gives dead letters another chance. */
  @CommandLine.Command(
      name = "retry",
      header = "Put dead letters back into the queue, and try failing messages at once.",
      description = {
        "",
        "They go to the end: messages of the same ordering key may have been sent since. With"
            + " --payload one dead letter goes back under its id; if the broker had taken it and only"
            + " its answer was lost, whoever heard it drops the new payload.",
        ""
      },
      footer = {
        "",
        "Examples:",
        "  semel outbox retry --destination orders",
        "  semel outbox retry --id order-17-v1 --payload order.json"
      })
  static final class RetryCommand implements Callable<Integer> {
    private final Semel semel;
    @Mixin private final DatabaseOption database = new DatabaseOption();
    @Mixin private final FilterOptions filter = new FilterOptions();
    @Mixin private final PayloadOption payload = new PayloadOption();

    @Option(
        names = {"-y", "--yes"},
        description = "Do not ask.")
    private boolean yes;

    RetryCommand(Semel semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      Filter chosen = filter.filter();
      if (payload.given()) {
        return edit(chosen);
      }
      return database.withOutbox(
          semel,
          outbox -> {
            long touched = outbox.retriable(chosen);
            if (declined(semel, touched, "This puts %s back into the queue.", yes)) {
              return Exit.OK;
            }
            count(semel, "retried", outbox.retry(chosen, touched));
            return Exit.OK;
          });
    }

    private int edit(Filter chosen) {
      if (chosen.id().isEmpty() || chosen.from().isPresent() || chosen.until().isPresent()) {
        throw new InvalidInput("--payload is for one dead letter: name it with --id alone");
      }
      String id = chosen.id().get();
      byte[] mended = payload.read(semel);
      return database.withOutbox(
          semel,
          outbox -> {
            Optional<Message> found = OutboxPayloadCommand.find(outbox, chosen.destination(), id);
            if (found.isEmpty()) {
              return OutboxPayloadCommand.notFound(semel, id);
            }
            String letter =
                "%s to %s"
                    .formatted(Printable.quoted(id), Printable.safe(found.get().destination()));
            if (PayloadOption.declined(
                semel, letter, found.get().payload().length, mended.length, yes)) {
              return Exit.OK;
            }
            if (!outbox.retry(found.get().destination(), id, mended)) {
              return OutboxPayloadCommand.notFound(semel, id); // someone else was quicker
            }
            count(semel, "retried", 1);
            return Exit.OK;
          });
    }
  }

  /** Sends again what was sent. */
  @CommandLine.Command(
      name = "replay",
      header = "Send published messages again, of a time or by their id.",
      description = {
        "",
        "Only those that the application keeps (keepHistory). With their old ids, who heard them"
            + " drops them and who missed them hears them.",
        ""
      },
      footer = {
        "",
        "Example:",
        "  semel outbox replay --from 2026-01-31T10:00:00Z --until 2026-01-31T11:00:00Z"
      })
  static final class ReplayCommand implements Callable<Integer> {
    private final Semel semel;
    @Mixin private final DatabaseOption database = new DatabaseOption();
    @Mixin private final FilterOptions filter = new FilterOptions();

    @Option(names = "--new-ids", description = "As new messages: everybody hears them again.")
    private boolean newIds;

    @Option(
        names = {"-y", "--yes"},
        description = "Do not ask.")
    private boolean yes;

    ReplayCommand(Semel semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      Filter chosen = filter.filter();
      String does =
          "This sends %s again" + (newIds ? ", and who heard them hears them again." : ".");
      return database.withOutbox(
          semel,
          outbox -> {
            long touched = outbox.count(State.PUBLISHED, chosen);
            if ((newIds || filter.everything()) && declined(semel, touched, does, yes)) {
              return Exit.OK;
            }
            count(semel, "replayed", outbox.replay(chosen, newIds, touched));
            return Exit.OK;
          });
    }
  }

  /** Deletes what was sent, or never will be. */
  @CommandLine.Command(
      name = "purge",
      header = "Delete dead letters or published messages; never what waits.",
      footer = {"", "Example:", "  semel outbox purge --state dead --until 2026-01-01T00:00:00Z"})
  static final class PurgeCommand implements Callable<Integer> {
    private final Semel semel;
    @Mixin private final DatabaseOption database = new DatabaseOption();
    @Mixin private final FilterOptions filter = new FilterOptions();

    @Option(
        names = "--state",
        paramLabel = "STATE",
        required = true,
        description = "dead or published.")
    private @Nullable String state;

    @Option(
        names = {"-y", "--yes"},
        description = "Do not ask.")
    private boolean yes;

    PurgeCommand(Semel semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      State wanted = state(Semel.given(state));
      if (wanted == State.PENDING) {
        throw new InvalidInput(
            "what is pending was promised to be sent, and is never deleted: use dead or published");
      }
      Filter chosen = filter.filter();
      String does = "This deletes %s, " + Printable.word(wanted) + ", for good.";
      return database.withOutbox(
          semel,
          outbox -> {
            long touched = outbox.count(wanted, chosen);
            if (declined(semel, touched, does, yes)) {
              return Exit.OK;
            }
            count(semel, "deleted", outbox.purge(wanted, chosen, touched));
            return Exit.OK;
          });
    }
  }

  /** Looks for business rows that nobody was told of. */
  @CommandLine.Command(
      name = "audit",
      header = "List the ids of messages that should be there and are not.",
      description = {
        "",
        "The query selects in one column the ids that the messages of your rows have; those that"
            + " are neither waiting, dead nor kept as published are listed. Exit code 1 if there"
            + " are any. It runs read-only.",
        ""
      },
      footer = {
        "",
        "Example:",
        "  semel outbox audit --query \"SELECT message_id FROM orders WHERE created_at > now() -"
            + " interval '1 day'\""
      })
  static final class AuditingCommand implements Callable<Integer> {
    private final Semel semel;
    @Mixin private final DatabaseOption database = new DatabaseOption();

    @Option(names = "--query", paramLabel = "SQL", required = true, description = "See above.")
    private @Nullable String query;

    AuditingCommand(Semel semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      Format format = semel.settings().output();
      String select = withoutEnd(Semel.given(query));
      List<String> missing = database.withTables(semel, outbox -> outbox.audit(select));
      if (format == Format.JSON) {
        List<JsonValue> ids = missing.stream().<JsonValue>map(JsonValue.JsonString::new).toList();
        semel.console().line(Json.object().with("missing", ids).write());
      } else if (format == Format.JSONL) {
        missing.forEach(id -> semel.console().line(Json.object().with("missing", id).write()));
      } else {
        missing.forEach(id -> semel.console().line(Printable.safe(id)));
      }
      semel.console().note(missing.isEmpty() ? "nothing is missing" : missing.size() + " missing");
      return missing.isEmpty() ? Exit.OK : Exit.FAILED;
    }

    /** A shell for SQL wants a semicolon, and ours becomes part of another statement. */
    private static String withoutEnd(String query) {
      String select = query.strip();
      while (select.endsWith(";")) {
        select = select.substring(0, select.length() - 1).strip();
      }
      if (select.isEmpty()) {
        throw new InvalidInput(
            "the query is empty: select the ids that the messages of your rows should have");
      }
      return select;
    }
  }

  /** For who creates tables by hand. */
  @CommandLine.Command(
      name = "ddl",
      header = "Print the statements that create Semel's tables in this kind of database.",
      footer = {
        "",
        "Example:",
        "  semel outbox ddl --database postgresql://app@localhost/shop | psql shop"
      })
  static final class DdlCommand implements Callable<Integer> {
    private final Semel semel;
    @Mixin private final DatabaseOption database = new DatabaseOption();

    @Option(
        names = "--from",
        paramLabel = "VERSION",
        defaultValue = "0",
        description =
            "Only what tables of that version lack; semel doctor says which one is there (default:"
                + " none is).")
    private int from;

    DdlCommand(Semel semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      semel.refuseOutputFlag("the result is SQL");
      semel.console().line(database.ddl(semel, from).stripTrailing());
      return Exit.OK;
    }
  }
}
