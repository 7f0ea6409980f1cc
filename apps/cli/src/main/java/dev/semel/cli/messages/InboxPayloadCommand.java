package dev.semel.cli.messages;

import dev.semel.cli.ExitCode;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.DatabaseOption;
import dev.semel.internal.PrintableText;
import dev.semel.transport.Message;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows a stored message in full. */
@CommandLine.Command(
    name = "payload",
    header = "Show a message that waits or is dead, with its payload.",
    description = {"", "With -o plain the payload alone, byte for byte, to be edited.", ""},
    footer = {
      "",
      "Example:",
      "  semel inbox payload --consumer ledger --id order-17-v1 -o plain > order.json"
    })
final class InboxPayloadCommand implements Callable<Integer> {
  private final SemelCommand semel;
  @Mixin private final DatabaseOption database = new DatabaseOption();
  @Mixin private final ConsumerOption consumer = new ConsumerOption();

  @Option(names = "--id", paramLabel = "ID", required = true, description = "Which message.")
  private @Nullable String id;

  InboxPayloadCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    String whose = consumer.name();
    String which = SemelCommand.given(id);
    return database.withInbox(
        semel,
        inbox -> {
          Optional<Message> found = inbox.find(whose, which);
          found.ifPresent(message -> MessageView.show(semel, message));
          return found.isPresent() ? ExitCode.OK : notFound(semel, whose, which);
        });
  }

  static int notFound(SemelCommand semel, String consumer, String id) {
    semel
        .console()
        .complain(
            "no message %s of %s waits or is dead: see semel inbox list"
                .formatted(PrintableText.quoted(id), PrintableText.quoted(consumer)));
    return ExitCode.NOT_FOUND;
  }
}
