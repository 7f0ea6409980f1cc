package dev.semel.cli.messages;

import dev.semel.admin.document.internal.MessageDocument;
import dev.semel.cli.Console;
import dev.semel.cli.SemelCommand;
import dev.semel.idempotency.Payload;
import dev.semel.internal.PrintableText;
import dev.semel.transport.Message;

/** Renders a message in full. */
final class MessageView {
  private MessageView() {}

  /** In plain format it writes only the payload, byte for byte, for a file; never to a terminal. */
  static void show(SemelCommand semel, Message message) {
    Console console = semel.console();
    switch (semel.settings().output()) {
      case JSON, JSONL -> console.line(MessageDocument.json(message).write());
      case PLAIN -> {
        if (console.streams().outIsTerminal()) {
          payload(console, message);
        } else {
          console.streams().out().writeBytes(message.payload());
        }
      }
      case TABLE -> {
        console.line("id            " + PrintableText.safe(message.id()));
        console.line("destination   " + PrintableText.safe(message.destination()));
        console.line("ordering key  " + OutboxView.orDash(message.orderingKey()));
        console.line("type          " + OutboxView.orDash(message.type()));
        message
            .headers()
            .forEach(
                (name, value) ->
                    console.line(
                        "header        "
                            + PrintableText.safe(name)
                            + ": "
                            + PrintableText.safe(value)));
        payload(console, message);
      }
    }
  }

  private static void payload(Console console, Message message) {
    PayloadView.of(new Payload("", message.payload())).lines().forEach(console::line);
  }
}
