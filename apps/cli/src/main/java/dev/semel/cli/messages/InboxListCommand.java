package dev.semel.cli.messages;

import dev.semel.InvalidInput;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.PageOptions;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.DatabaseOption;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.inbox.spi.InboxOperations.Page;
import dev.semel.inbox.spi.InboxOperations.State;
import dev.semel.internal.PrintableText;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists messages, a page at a time. */
@CommandLine.Command(
    name = "list",
    header = "List a consumer's messages that wait, failed for good or are in doubt.",
    footer = {"", "Example:", "  semel inbox list --consumer ledger --state dead"})
final class InboxListCommand implements Callable<Integer> {
  private final SemelCommand semel;
  @Mixin private final DatabaseOption database = new DatabaseOption();
  @Mixin private final ConsumerOption consumer = new ConsumerOption();

  @Option(
      names = "--state",
      paramLabel = "STATE",
      defaultValue = "pending",
      description = "pending, dead or in-doubt (default: ${DEFAULT-VALUE}).")
  private String state = "pending";

  @Mixin private final PageOptions page = new PageOptions();

  InboxListCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    int limit = page.limit(InboxOperations.MAX_PAGE);
    State wanted = state(state);
    String whose = consumer.name();
    OutputFormat format = semel.settings().output();
    return database.withInbox(
        semel,
        inbox -> {
          Page messages = inbox.list(whose, wanted, page.cursor(), limit);
          InboxView.lines(messages, format).forEach(semel.console()::line);
          PageOptions.notes(
              semel,
              messages.cursor(),
              messages.entries().isEmpty(),
              "no messages of %s are %s".formatted(PrintableText.quoted(whose), words(wanted)));
          return ExitCode.OK;
        });
  }

  private static String words(State state) {
    return PrintableText.word(state).replace('-', ' ');
  }

  private static State state(String text) {
    try {
      return State.valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
    } catch (IllegalArgumentException e) {
      throw new InvalidInput(
          "there is no state %s: use pending, dead or in-doubt"
              .formatted(PrintableText.quoted(text)));
    }
  }
}
