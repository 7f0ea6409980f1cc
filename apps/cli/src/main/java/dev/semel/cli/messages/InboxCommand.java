package dev.semel.cli.messages;

import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.DatabaseOption;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

/** Commands on the inbox. */
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
public final class InboxCommand {
  private InboxCommand() {}

  public static CommandLine with(SemelCommand semel) {
    CommandLine inbox = new CommandLine(new InboxCommand());
    inbox.addSubcommand(new StatusCommand(semel));
    inbox.addSubcommand(new InboxListCommand(semel));
    inbox.addSubcommand(new InboxPayloadCommand(semel));
    inbox.addSubcommand(new InboxRetryCommand(semel));
    inbox.addSubcommand(new InboxForgetCommand(semel));
    inbox.addSubcommand(new InboxPurgeCommand(semel));
    inbox.addSubcommand(new InboxPartitionCommand(semel));
    inbox.addSubcommand(new InboxDdlCommand(semel));
    return inbox;
  }

  /** Shows the inbox's status. */
  @CommandLine.Command(
      name = "status",
      header = "How many ids each consumer keeps, and what waits, failed or is in doubt.",
      footer = {"", "Example:", "  semel inbox status -o json"})
  static final class StatusCommand implements Callable<Integer> {
    private final SemelCommand semel;
    @Mixin private final DatabaseOption database = new DatabaseOption();

    StatusCommand(SemelCommand semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      OutputFormat format = semel.settings().output();
      return database.withInbox(
          semel,
          inbox -> {
            List<String> says = inbox.diagnose();
            InboxView.lines(inbox.status(), says, format).forEach(semel.console()::line);
            says.forEach(semel.console()::complain);
            return ExitCode.OK;
          });
    }
  }
}
