package dev.semel.cli.messages;

import dev.semel.cli.CountedNoun;
import dev.semel.cli.ExitCode;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.DatabaseOption;
import dev.semel.outbox.spi.OutboxOperations.Filter;
import dev.semel.outbox.spi.OutboxOperations.State;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Sends messages of the history again. */
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
final class OutboxReplayCommand implements Callable<Integer> {
  private final SemelCommand semel;
  @Mixin private final DatabaseOption database = new DatabaseOption();
  @Mixin private final OutboxFilterOptions filter = new OutboxFilterOptions();

  @Option(names = "--new-ids", description = "As new messages: everybody hears them again.")
  private boolean newIds;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  OutboxReplayCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    Filter chosen = filter.filter();
    return database.withOutbox(
        semel,
        outbox -> {
          CountedNoun touched = CountedNoun.messages(outbox.count(State.PUBLISHED, chosen));
          String does =
              "This sends %s again%s"
                  .formatted(
                      touched.text(), newIds ? ", and who heard them hears them again." : ".");
          if ((newIds || filter.everything()) && touched.declined(semel, does, yes)) {
            return ExitCode.OK;
          }
          return CountedNoun.messages(outbox.replay(chosen, newIds, touched.count()))
              .tell(semel, "replayed");
        });
  }
}
