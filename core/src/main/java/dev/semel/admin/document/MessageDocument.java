package dev.semel.admin.document;

import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import dev.semel.transport.Message;
import java.util.Base64;

/** All that a message is made of. */
public final class MessageDocument {
  private MessageDocument() {}

  public static JsonObjectBuilder json(Message message) {
    JsonObjectBuilder headers = Json.object();
    message.headers().forEach(headers::with);
    return Json.object()
        .with("id", message.id())
        .with("destination", message.destination())
        .with("ordering_key", message.orderingKey())
        .with("type", message.type())
        .with("headers", headers.build())
        .with("base64", Base64.getEncoder().encodeToString(message.payload()));
  }

  public static Message read(JsonValue value) {
    MemberReader from = MemberReader.of(value);
    return new Message(
        from.text("id"),
        from.text("destination"),
        from.text("ordering_key"),
        from.text("type"),
        from.bytes("base64"),
        from.textsByName("headers"));
  }
}
