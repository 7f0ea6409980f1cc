package dev.semel.admin.document.internal;

import static dev.semel.admin.document.internal.DocumentSchema.integer;
import static dev.semel.admin.document.internal.DocumentSchema.map;
import static dev.semel.admin.document.internal.DocumentSchema.text;
import static dev.semel.admin.document.internal.DocumentSchema.time;

import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import dev.semel.transport.Message;
import java.util.Base64;

/** The JSON form of a whole message. */
public final class MessageDocument {
  static final DocumentSchema SCHEMA =
      DocumentSchema.of(
          "MessagePayload",
          text("id"),
          text("destination"),
          text("ordering_key"),
          text("type"),
          map("headers"),
          text("base64"));

  /** A message in a listing, without its payload. */
  static final DocumentSchema LISTED =
      DocumentSchema.of(
          "Message",
          text("id"),
          text("state"),
          text("destination"),
          text("ordering_key"),
          text("type"),
          integer("payload_bytes"),
          integer("attempts"),
          time("since"),
          text("reason"));

  static final DocumentSchema PAGE = LISTED.page("messages");

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
