package dev.semel.cli;

import dev.semel.DurationText;
import dev.semel.InvalidInput;
import dev.semel.Operation;
import dev.semel.Printable;
import dev.semel.admin.InboxDesk;
import dev.semel.admin.document.InboxDocument;
import dev.semel.inbox.InboxOperations;
import dev.semel.inbox.InboxOperations.ConsumerStatus;
import dev.semel.inbox.InboxOperations.Entry;
import dev.semel.inbox.InboxOperations.State;
import dev.semel.inbox.InboxOperations.Status;
import dev.semel.json.Json;
import dev.semel.transport.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Messages that took effect, each once. */
@CommandLine.Command(
    name = "inbox",
    header = "See what consumers remember, and what waits or failed.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  semel inbox status --database postgresql://app@localhost/shop",
      "  semel inbox purge --consumer ledger --older-than 90d"
    })
final class InboxCommand {
  private InboxCommand() {}

  static CommandLine with(Semel semel) {
    CommandLine inbox = new CommandLine(new InboxCommand());
    inbox.addSubcommand(new StatusCommand(semel));
    inbox.addSubcommand(new ListCommand(semel));
    inbox.addSubcommand(new InboxPayloadCommand(semel));
    inbox.addSubcommand(new RetryCommand(semel));
    inbox.addSubcommand(new ForgetCommand(semel));
    inbox.addSubcommand(new PurgeCommand(semel));
    inbox.addSubcommand(new InboxPartitionCommand(semel));
    inbox.addSubcommand(new InboxDdlCommand(semel));
    return inbox;
  }

  /** How it stands. */
  @CommandLine.Command(
      name = "status",
      header = "How many ids each consumer keeps, and what waits, failed or is in doubt.",
      footer = {"", "Example:", "  semel inbox status -o json"})
  static final class StatusCommand implements Callable<Integer> {
    private final Semel semel;
    @Mixin private final DatabaseOption database = new DatabaseOption();

    StatusCommand(Semel semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      Format format = semel.settings().output();
      return database.withInbox(
          semel,
          inbox -> {
            lines(inbox.status(), format).forEach(semel.console()::line);
            inbox.diagnose().forEach(semel.console()::complain);
            return Exit.OK;
          });
    }

    private static List<String> lines(Status status, Format format) {
      return switch (format) {
        case TABLE -> table(status);
        case JSON, JSONL -> List.of(InboxDocument.json(status).write());
        case PLAIN ->
            status.consumers().stream()
                .map(
                    each ->
                        "%s\t%d\t%d\t%d\t%d"
                            .formatted(
                                each.consumer(),
                                each.ids(),
                                each.pending(),
                                each.dead(),
                                each.inDoubt()))
                .toList();
      };
    }

    private static List<String> table(Status status) {
      List<String> lines = new ArrayList<>();
      if (!status.consumers().isEmpty()) {
        Table table =
            new Table(
                "CONSUMER", "IDS", "SINCE", "PENDING", "FAILING", "DEAD", "IN DOUBT", "OLDEST");
        for (ConsumerStatus each : status.consumers()) {
          table.row(
              List.of(
                  each.consumer(),
                  Long.toString(each.ids()),
                  each.firstSeen().map(Object::toString).orElse("-"),
                  Long.toString(each.pending()),
                  Long.toString(each.failing()),
                  Long.toString(each.dead()),
                  Long.toString(each.inDoubt()),
                  OutboxView.age(each.oldest())));
        }
        lines.addAll(table.lines());
        lines.add("");
      }
      lines.add("%,d bytes".formatted(status.bytes()));
      return lines;
    }
  }

  /** Lists messages, a page at a time. */
  @CommandLine.Command(
      name = "list",
      header = "List a consumer's messages that wait, failed for good or are in doubt.",
      footer = {"", "Example:", "  semel inbox list --consumer ledger --state dead"})
  static final class ListCommand implements Callable<Integer> {
    private final Semel semel;
    @Mixin private final DatabaseOption database = new DatabaseOption();

    @Option(names = "--consumer", paramLabel = "NAME", required = true, description = "Whose.")
    private @Nullable String consumer;

    @Option(
        names = "--state",
        paramLabel = "STATE",
        defaultValue = "pending",
        description = "pending, dead or in-doubt (default: ${DEFAULT-VALUE}).")
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
      if (limit < 1 || limit > InboxOperations.MAX_PAGE) {
        throw new InvalidInput(
            "--limit is from 1 to %d: use --cursor to go on".formatted(InboxOperations.MAX_PAGE));
      }
      State wanted = state(state);
      Format format = semel.settings().output();
      return database.withInbox(
          semel,
          inbox -> {
            InboxOperations.Page page = inbox.list(Semel.given(consumer), wanted, cursor, limit);
            lines(page, format).forEach(semel.console()::line);
            if (!page.cursor().isEmpty() && format != Format.JSON) {
              semel
                  .console()
                  .note("there are more: go on with --cursor " + ShellWord.of(page.cursor()));
            }
            if (page.entries().isEmpty() && format == Format.TABLE) {
              semel
                  .console()
                  .note(
                      "no messages of %s are %s"
                          .formatted(Printable.quoted(Semel.given(consumer)), words(wanted)));
            }
            return Exit.OK;
          });
    }

    private static String words(State state) {
      return Printable.word(state).replace('-', ' ');
    }

    private static State state(String text) {
      try {
        return State.valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
      } catch (IllegalArgumentException e) {
        throw new InvalidInput(
            "there is no state %s: use pending, dead or in-doubt"
                .formatted(Printable.quoted(text)));
      }
    }

    private static List<String> lines(InboxOperations.Page page, Format format) {
      return switch (format) {
        case TABLE -> table(page.entries());
        case JSON -> List.of(InboxDocument.json(page).write());
        case JSONL ->
            page.entries().stream().map(each -> InboxDocument.json(each).write()).toList();
        case PLAIN ->
            page.entries().stream()
                .map(
                    each ->
                        Printable.safe(each.id()) + "\t" + each.attempts() + "\t" + each.since())
                .toList();
      };
    }

    private static List<String> table(List<Entry> entries) {
      if (entries.isEmpty()) {
        return List.of();
      }
      Table table = new Table("ID", "STATE", "DESTINATION", "KEY", "TRIES", "SINCE", "REASON");
      entries.forEach(
          each ->
              table.row(
                  List.of(
                      Printable.safe(each.id()),
                      Printable.word(each.state()),
                      Printable.safe(each.destination()),
                      OutboxView.orDash(each.orderingKey()),
                      Integer.toString(each.attempts()),
                      each.since().toString(),
                      OutboxView.orDash(each.reason()))));
      return table.lines();
    }
  }

  /** Gives stored messages another chance. */
  @CommandLine.Command(
      name = "retry",
      header = "Give stored messages back to their workers: dead letters, or one that is stuck.",
      description = {
        "",
        "Without --id all dead letters of the consumer. They go to the end: messages of the same"
            + " ordering key may have been handled since. One that waits is due at once, and whoever"
            + " has it can't finish it any more. With --payload one dead letter goes back under its"
            + " id, and takes effect once.",
        ""
      },
      footer = {
        "",
        "Examples:",
        "  semel inbox retry --consumer ledger --id order-17-v1",
        "  semel inbox retry --consumer ledger --id order-17-v1 --payload order.json"
      })
  static final class RetryCommand implements Callable<Integer> {
    private final Semel semel;
    @Mixin private final DatabaseOption database = new DatabaseOption();
    @Mixin private final PayloadOption payload = new PayloadOption();

    @Option(names = "--consumer", paramLabel = "NAME", required = true, description = "Whose.")
    private @Nullable String consumer;

    @Option(names = "--id", paramLabel = "ID", description = "Only this message.")
    private @Nullable String id;

    @Option(
        names = {"-y", "--yes"},
        description = "Do not ask.")
    private boolean yes;

    RetryCommand(Semel semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      String whose = new Operation(Semel.given(consumer)).name();
      if (payload.given()) {
        return edit(whose);
      }
      return database.withInbox(
          semel,
          inbox -> {
            String one = id;
            if (one == null) {
              return retryAll(inbox, whose);
            }
            if (!inbox.retry(whose, one)) {
              return InboxPayloadCommand.notFound(semel, whose, one);
            }
            OutboxCommand.count(semel, "retried", 1);
            return Exit.OK;
          });
    }

    private int edit(String whose) {
      String one = id;
      if (one == null) {
        throw new InvalidInput("--payload is for one dead letter: name it with --id");
      }
      byte[] mended = payload.read(semel);
      return database.withInbox(
          semel,
          inbox -> {
            Optional<Message> found = inbox.find(whose, one);
            if (found.isEmpty()) {
              return InboxPayloadCommand.notFound(semel, whose, one);
            }
            String letter = "%s of %s".formatted(Printable.quoted(one), Printable.quoted(whose));
            if (PayloadOption.declined(
                semel, letter, found.get().payload().length, mended.length, yes)) {
              return Exit.OK;
            }
            if (!inbox.retry(whose, one, mended)) {
              semel
                  .console()
                  .complain(
                      "%s is no dead letter, or not any more: nothing was done".formatted(letter));
              return Exit.NOT_FOUND;
            }
            OutboxCommand.count(semel, "retried", 1);
            return Exit.OK;
          });
    }

    private int retryAll(InboxDesk inbox, String whose) {
      long dead = inbox.dead(whose);
      String does = "This gives %s that are dead back to the workers of " + whose + ".";
      if (!OutboxCommand.declined(semel, dead, does, yes)) {
        OutboxCommand.count(semel, "retried", inbox.retry(whose, dead));
      }
      return Exit.OK;
    }
  }

  /** Lets a message take effect again. */
  @CommandLine.Command(
      name = "forget",
      header = "Forget one id, so that its message takes effect when it comes again.",
      description = {
        "",
        "For a message in doubt that did not happen, or one that must happen once more. If it did"
            + " take effect, it will have done so twice. The message itself is not sent: whoever"
            + " has it must send it again.",
        ""
      },
      footer = {"", "Example:", "  semel inbox forget --consumer mailer --id greeting-4"})
  static final class ForgetCommand implements Callable<Integer> {
    private final Semel semel;
    @Mixin private final DatabaseOption database = new DatabaseOption();

    @Option(names = "--consumer", paramLabel = "NAME", required = true, description = "Whose.")
    private @Nullable String consumer;

    @Option(names = "--id", paramLabel = "ID", required = true, description = "Which message.")
    private @Nullable String id;

    @Option(
        names = {"-y", "--yes"},
        description = "Do not ask.")
    private boolean yes;

    ForgetCommand(Semel semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      String whose = new Operation(Semel.given(consumer)).name();
      String which = Semel.given(id);
      String named = "%s of %s".formatted(Printable.quoted(which), Printable.quoted(whose));
      if (!semel
          .console()
          .confirm(
              "This forgets %s: if that message comes again it takes effect, a second time if it did before."
                  .formatted(named),
              yes)) {
        semel.console().note("nothing was done");
        return Exit.OK;
      }
      return database.withInbox(
          semel,
          inbox -> {
            if (!inbox.forget(whose, which)) {
              semel
                  .console()
                  .complain(
                      "nothing was forgotten: there is no id %s, or its message waits or is dead (semel inbox retry gives it back to its workers)"
                          .formatted(named));
              return Exit.NOT_FOUND;
            }
            forgot(semel, 1);
            return Exit.OK;
          });
    }
  }

  private static void forgot(Semel semel, long count) {
    semel
        .console()
        .line(
            switch (semel.settings().output()) {
              case TABLE -> "forgot " + ids(count);
              case JSON, JSONL -> Json.object().with("forgot", count).write();
              case PLAIN -> Long.toString(count);
            });
  }

  private static String ids(long count) {
    return "%,d %s".formatted(count, count == 1 ? "id" : "ids");
  }

  /** Forgets old ids. */
  @CommandLine.Command(
      name = "purge",
      header = "Forget ids that were first seen long ago.",
      description = {
        "",
        "A message whose id is gone takes effect again if it comes again: keep ids for longer than"
            + " anyone may send the same message.",
        ""
      },
      footer = {"", "Example:", "  semel inbox purge --consumer ledger --older-than 90d"})
  static final class PurgeCommand implements Callable<Integer> {
    private final Semel semel;
    @Mixin private final DatabaseOption database = new DatabaseOption();

    @Option(names = "--consumer", paramLabel = "NAME", required = true, description = "Whose.")
    private @Nullable String consumer;

    @Option(
        names = "--older-than",
        paramLabel = "DURATION",
        required = true,
        description = "Such as 90d.")
    private @Nullable Duration olderThan;

    @Option(
        names = {"-y", "--yes"},
        description = "Do not ask.")
    private boolean yes;

    PurgeCommand(Semel semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      Duration age = Semel.given(olderThan);
      String whose = new Operation(Semel.given(consumer)).name();
      return database.withInbox(semel, inbox -> purge(inbox, whose, age));
    }

    private int purge(InboxDesk inbox, String whose, Duration age) {
      long old = inbox.old(whose, age);
      String touched =
          "This forgets %s of %s, first seen over %s ago."
              .formatted(ids(old), Printable.quoted(whose), DurationText.brief(age));
      if (old > 0 && !semel.console().confirm(touched, yes)) {
        semel.console().note("nothing was done");
        return Exit.OK;
      }
      forgot(semel, inbox.purgeOld(whose, age, old));
      return Exit.OK;
    }
  }
}
