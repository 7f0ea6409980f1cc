package dev.semel.cli.messages;

import dev.semel.cli.CountedNoun;
import dev.semel.cli.ExitCode;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.DatabaseOption;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.spi.Store;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.transport.Message;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Adds the messages that an audit finds missing. */
@CommandLine.Command(
    name = "rebuild",
    header = "Add the messages that should be there and are not, made of your rows.",
    description = {
      "",
      "The query selects a row for each message that there should be, with the columns id (or"
          + " name, where ids were made of names with withIdOf), destination and payload, and if"
          + " wanted ordering_key and type. Those that are neither waiting, dead nor kept as"
          + " published are added, and a relay sends them. It runs read-only. At most 10,000 in"
          + " one call.",
      ""
    },
    footer = {
      "",
      "Example:",
      "  semel outbox rebuild --query \"SELECT 'order-' || id || '-v1' AS name, 'orders' AS"
          + " destination, json AS payload FROM orders\""
    })
final class OutboxRebuildCommand implements Callable<Integer> {
  private final SemelCommand semel;
  @Mixin private final DatabaseOption database = new DatabaseOption();

  @Option(names = "--query", paramLabel = "SQL", required = true, description = "See above.")
  private @Nullable String query;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  OutboxRebuildCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    String select = OutboxAuditCommand.withoutEnd(SemelCommand.given(query));
    try (Store store = database.open(semel);
        JdbcOutbox outbox = DatabaseOption.outbox(store);
        Idempotency events = new Idempotency(store, semel.listener())) {
      List<Message> missing = outbox.missing(select);
      CountedNoun touched = CountedNoun.messages(missing.size());
      if (touched.declined(semel, "This adds %s to the outbox.".formatted(touched.text()), yes)) {
        return ExitCode.OK;
      }
      return CountedNoun.messages(outbox.rebuild(missing, events.listener()))
          .tell(semel, "rebuilt");
    }
  }
}
