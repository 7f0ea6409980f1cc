package dev.semel.cli.messages;

import dev.semel.InvalidInput;
import dev.semel.cli.CountedNoun;
import dev.semel.cli.ExitCode;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.DatabaseOption;
import dev.semel.internal.PrintableText;
import dev.semel.outbox.spi.OutboxOperations.Filter;
import dev.semel.outbox.spi.OutboxOperations.State;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Deletes messages that were sent, or never will be. */
@CommandLine.Command(
    name = "purge",
    header = "Delete dead letters or published messages; never what waits.",
    footer = {"", "Example:", "  semel outbox purge --state dead --until 2026-01-01T00:00:00Z"})
final class OutboxPurgeCommand implements Callable<Integer> {
  private final SemelCommand semel;
  @Mixin private final DatabaseOption database = new DatabaseOption();
  @Mixin private final OutboxFilterOptions filter = new OutboxFilterOptions();

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

  OutboxPurgeCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    State wanted = OutboxFilterOptions.state(SemelCommand.given(state));
    if (wanted == State.PENDING) {
      throw new InvalidInput(
          "what is pending was promised to be sent, and is never deleted: use dead or published");
    }
    Filter chosen = filter.filter();
    return database.withOutbox(
        semel,
        outbox -> {
          CountedNoun touched = CountedNoun.messages(outbox.count(wanted, chosen));
          String does =
              "This deletes %s, %s, for good."
                  .formatted(touched.text(), PrintableText.word(wanted));
          if (touched.declined(semel, does, yes)) {
            return ExitCode.OK;
          }
          return CountedNoun.messages(outbox.purge(wanted, chosen, touched.count()))
              .tell(semel, "deleted");
        });
  }
}
