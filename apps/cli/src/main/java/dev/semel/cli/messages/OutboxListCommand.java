package dev.semel.cli.messages;

import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.PageOptions;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.DatabaseOption;
import dev.semel.internal.PrintableText;
import dev.semel.outbox.spi.OutboxOperations;
import dev.semel.outbox.spi.OutboxOperations.Filter;
import dev.semel.outbox.spi.OutboxOperations.Page;
import dev.semel.outbox.spi.OutboxOperations.State;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists messages, a page at a time. */
@CommandLine.Command(
    name = "list",
    header = "List messages without their payload.",
    footer = {"", "Example:", "  semel outbox list --state dead --destination orders"})
final class OutboxListCommand implements Callable<Integer> {
  private final SemelCommand semel;
  @Mixin private final DatabaseOption database = new DatabaseOption();
  @Mixin private final OutboxFilterOptions filter = new OutboxFilterOptions();

  @Option(
      names = "--state",
      paramLabel = "STATE",
      defaultValue = "pending",
      description = "pending, dead or published (default: ${DEFAULT-VALUE}).")
  private String state = "pending";

  @Mixin private final PageOptions page = new PageOptions();

  OutboxListCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    int limit = page.limit(OutboxOperations.MAX_PAGE);
    State wanted = OutboxFilterOptions.state(state);
    Filter chosen = filter.filter();
    OutputFormat format = semel.settings().output();
    return database.withOutbox(
        semel,
        outbox -> {
          Page messages = outbox.list(wanted, chosen, page.cursor(), limit);
          OutboxView.lines(messages, format).forEach(semel.console()::line);
          PageOptions.notes(
              semel,
              messages.cursor(),
              messages.entries().isEmpty(),
              "no messages are " + PrintableText.word(wanted));
          return ExitCode.OK;
        });
  }
}
