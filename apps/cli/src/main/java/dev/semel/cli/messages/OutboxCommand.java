package dev.semel.cli.messages;

import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.DatabaseOption;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Commands on the outbox. */
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
public final class OutboxCommand {
  private OutboxCommand() {}

  public static CommandLine with(SemelCommand semel) {
    CommandLine outbox = new CommandLine(new OutboxCommand());
    outbox.addSubcommand(new StatusCommand(semel));
    outbox.addSubcommand(new OutboxListCommand(semel));
    outbox.addSubcommand(new OutboxPayloadCommand(semel));
    outbox.addSubcommand(new OutboxRetryCommand(semel));
    outbox.addSubcommand(new OutboxReplayCommand(semel));
    outbox.addSubcommand(new OutboxPurgeCommand(semel));
    outbox.addSubcommand(new OutboxAuditCommand(semel));
    outbox.addSubcommand(new OutboxRebuildCommand(semel));
    outbox.addSubcommand(new DdlCommand(semel));
    return outbox;
  }

  /** Shows the outbox's status. */
  @CommandLine.Command(
      name = "status",
      header = "How many wait, fail or are dead, how old they are, and which relays run.",
      footer = {"", "Example:", "  semel outbox status -o json"})
  static final class StatusCommand implements Callable<Integer> {
    private final SemelCommand semel;
    @Mixin private final DatabaseOption database = new DatabaseOption();

    StatusCommand(SemelCommand semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      OutputFormat format = semel.settings().output();
      return database.withOutbox(
          semel,
          outbox -> {
            OutboxView.lines(outbox.status(), format).forEach(semel.console()::line);
            return ExitCode.OK;
          });
    }
  }

  /** Prints statements, for databases where tables are created by hand. */
  @CommandLine.Command(
      name = "ddl",
      header = "Print the statements that create Semel's tables in this kind of database.",
      footer = {
        "",
        "Example:",
        "  semel outbox ddl --database postgresql://app@localhost/shop | psql shop"
      })
  static final class DdlCommand implements Callable<Integer> {
    private final SemelCommand semel;
    @Mixin private final DatabaseOption database = new DatabaseOption();

    @Option(
        names = "--from",
        paramLabel = "VERSION",
        defaultValue = "0",
        description =
            "Only what tables of that version lack; semel doctor says which one is there (default:"
                + " none is).")
    private int from;

    DdlCommand(SemelCommand semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      semel.refuseOutputFlag("the result is SQL");
      semel.console().line(database.ddl(semel, from).stripTrailing());
      return ExitCode.OK;
    }
  }
}
