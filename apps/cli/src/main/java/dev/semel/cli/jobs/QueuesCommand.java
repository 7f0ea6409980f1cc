package dev.semel.cli.jobs;

import dev.semel.InvalidInput;
import dev.semel.Operation;
import dev.semel.admin.ControlCenter;
import dev.semel.admin.OperationRecord;
import dev.semel.admin.StoreAdmin.VersionedSettings;
import dev.semel.admin.document.internal.OperationDocument;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.idempotency.OperationSetting;
import dev.semel.idempotency.ProtectionMode;
import dev.semel.internal.PrintableText;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/** Commands on operations and their settings. */
@CommandLine.Command(
    name = "queues",
    header = "List operations and their settings; change them while processes run.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  semel queues list",
      "  semel queues set payments retention=7d takeover=run-again",
      "  semel queues set payments mode=observe"
    })
public final class QueuesCommand {
  private QueuesCommand() {}

  public static CommandLine with(SemelCommand semel) {
    CommandLine queues = new CommandLine(new QueuesCommand());
    queues.addSubcommand(new Listing(semel));
    queues.addSubcommand(new Change(semel));
    return queues;
  }

  /** Lists all operations. */
  @CommandLine.Command(
      name = "list",
      header = "List operations: how they are protected, and what was asked of them.",
      footer = {
        "",
        "An operation is listed once it was used or has settings; those hold for all tenants.",
        "",
        "Example:",
        "  semel queues list -o json"
      })
  static final class Listing implements Callable<Integer> {
    private final SemelCommand semel;

    Listing(SemelCommand semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      OutputFormat format = semel.settings().output();
      List<QueueView> views =
          semel.centers().onStore(ControlCenter::queues).stream().map(QueueView::new).toList();
      QueueView.lines(views, format).forEach(semel.console()::line);
      if (views.isEmpty() && format == OutputFormat.TABLE) {
        semel.console().note("no operations yet");
      }
      return ExitCode.OK;
    }
  }

  /** Changes settings of one operation. */
  @CommandLine.Command(
      name = "set",
      header = "Change settings of an operation; they reach every process within seconds.",
      description = {
        "",
        "SETTING=VALUE sets one, SETTING= takes it away. Settings go before what the program says.",
        ""
      },
      footer = {
        "",
        "mode          enforce, observe (count duplicates, let them run), off",
        "lease         how long a claim holds without renewal: 30s",
        "max-hold      how long it is renewed at most: 1h",
        "retention     how long a record is kept: 24h",
        "wait          how long a duplicate waits for the first one's result: 5s",
        "takeover      in-doubt, run-again: when a holder ended without a word",
        "on-failure    release, store",
        "on-outage     fail-closed, warn-and-continue",
        "max-response  how many bytes of a response are kept",
        "strategy      content-hash(FIELD,…), hybrid(FIELD,…) for JSON bodies",
        "shadow        a strategy that is only compared with it",
        "mask-ids      true: the event log keeps only hashes of ids",
        "",
        "Examples:",
        "  semel queues set payments retention=7d lease=1m",
        "  semel queues set payments retention="
      })
  static final class Change implements Callable<Integer> {
    private final SemelCommand semel;

    @Parameters(index = "0", paramLabel = "OPERATION", description = "Such as payments.")
    private @Nullable String name;

    @Parameters(
        index = "1..*",
        arity = "1..*",
        paramLabel = "SETTING=VALUE",
        description = "What to change; see below.")
    private List<String> changes = List.of();

    Change(SemelCommand semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      Operation operation = new Operation(SemelCommand.given(name));
      Map<OperationSetting, String> wanted = wanted();
      OutputFormat format = semel.settings().output();
      VersionedSettings now = semel.centers().onStore(center -> center.change(operation, wanted));
      if (format.machine()) {
        semel.console().line(OperationDocument.json(operation, now).write());
      } else {
        semel.console().line("%s: version %d".formatted(operation, now.version()));
        new QueueView(new OperationRecord(operation, 0, 0, now))
            .settingLines()
            .forEach(line -> semel.console().line("  " + line));
      }
      if (now.settings().mode() != ProtectionMode.ENFORCE) {
        semel.console().note("duplicates of %s now run".formatted(operation));
      }
      return ExitCode.OK;
    }

    private Map<OperationSetting, String> wanted() {
      Map<OperationSetting, String> wanted = new EnumMap<>(OperationSetting.class);
      for (String change : changes) {
        int equals = change.indexOf('=');
        if (equals < 1) {
          throw new InvalidInput(
              "%s is no change: write SETTING=VALUE, such as lease=1m"
                  .formatted(PrintableText.quoted(change)));
        }
        OperationSetting setting = OperationSetting.parse(change.substring(0, equals));
        if (wanted.put(setting, change.substring(equals + 1)) != null) {
          throw new InvalidInput("%s is given twice".formatted(setting.text()));
        }
      }
      return wanted;
    }
  }
}
