package dev.semel.cli.messages;

import dev.semel.InvalidInput;
import dev.semel.cli.ExitCode;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.DatabaseOption;
import dev.semel.internal.PrintableText;
import dev.semel.outbox.spi.OutboxOperations;
import dev.semel.outbox.spi.OutboxOperations.Entry;
import dev.semel.outbox.spi.OutboxOperations.Filter;
import dev.semel.outbox.spi.OutboxOperations.State;
import dev.semel.transport.Message;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows a dead letter in full. */
@CommandLine.Command(
    name = "payload",
    header = "Show a dead letter with its payload.",
    description = {"", "With -o plain the payload alone, byte for byte, to be edited.", ""},
    footer = {"", "Example:", "  semel outbox payload --id order-17-v1 -o plain > order.json"})
final class OutboxPayloadCommand implements Callable<Integer> {
  private final SemelCommand semel;
  @Mixin private final DatabaseOption database = new DatabaseOption();

  @Option(names = "--id", paramLabel = "ID", required = true, description = "Which message.")
  private @Nullable String id;

  @Option(
      names = "--destination",
      paramLabel = "NAME",
      defaultValue = "",
      description = "Where it goes, if several of that id are dead.")
  private String destination = "";

  OutboxPayloadCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    String which = SemelCommand.given(id);
    return database.withOutbox(
        semel,
        outbox -> {
          Optional<Message> found = find(outbox, destination, which);
          found.ifPresent(message -> MessageView.show(semel, message));
          return found.isPresent() ? ExitCode.OK : notFound(semel, which);
        });
  }

  /** An id may be a dead letter for several destinations; only a call that names one selects it. */
  static Optional<Message> find(OutboxOperations outbox, String destination, String id) {
    Filter named = new Filter(destination, Optional.of(id), Optional.empty(), Optional.empty());
    List<String> destinations =
        outbox.list(State.DEAD, named, "", OutboxOperations.MAX_PAGE).entries().stream()
            .map(Entry::destination)
            .distinct()
            .toList();
    if (destinations.size() > 1) {
      throw new InvalidInput(
          "%s is dead on its way to %s: name one with --destination"
              .formatted(
                  PrintableText.quoted(id),
                  PrintableText.safe(String.join(" and ", destinations))));
    }
    return destinations.stream().findFirst().flatMap(to -> outbox.read(to, id));
  }

  static int notFound(SemelCommand semel, String id) {
    semel
        .console()
        .complain(
            "there is no dead letter %s, or not any more: see semel outbox list --state dead"
                .formatted(PrintableText.quoted(id)));
    return ExitCode.NOT_FOUND;
  }
}
