package dev.semel.stream.transport;

import dev.semel.InvalidInput;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import dev.semel.transport.Message;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A message as it is stored in a stream: one JSON object. Its payload is Base64, because it may be
 * any bytes. The stream's path says where it goes.
 */
final class MessageFrame {
  private static final String ID = "id";
  private static final String KEY = "key";
  private static final String TYPE = "type";
  private static final String HEADERS = "headers";
  private static final String DATA = "data";

  private MessageFrame() {}

  static byte[] of(Message message) {
    JsonObjectBuilder frame =
        Json.object()
            .with(ID, message.id())
            .withUnlessEmpty(KEY, message.orderingKey())
            .withUnlessEmpty(TYPE, message.type());
    if (!message.headers().isEmpty()) {
      JsonObjectBuilder headers = Json.object();
      message.headers().forEach(headers::with);
      frame.with(HEADERS, headers.build());
    }
    return frame
        .with(DATA, Base64.getEncoder().encodeToString(message.payload()))
        .write()
        .getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Parses a stored message.
   *
   * @throws InvalidInput it was not written by this class
   */
  static Message parse(String destination, String json) {
    if (!(Json.parse(json) instanceof JsonObject frame)) {
      throw new InvalidInput("it is no JSON object");
    }
    byte[] payload;
    try {
      payload = Base64.getDecoder().decode(text(frame, DATA));
    } catch (IllegalArgumentException e) {
      throw new InvalidInput("its payload is no Base64");
    }
    return new Message(
        text(frame, ID), destination, text(frame, KEY), text(frame, TYPE), payload, headers(frame));
  }

  private static String text(JsonObject frame, String name) {
    return frame.get(name).orElse(JsonValue.of("")) instanceof JsonString s ? s.text() : "";
  }

  private static Map<String, String> headers(JsonObject frame) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (frame.get(HEADERS).orElse(JsonValue.of("")) instanceof JsonObject all) {
      all.members().keySet().forEach(name -> headers.put(name, text(all, name)));
    }
    return headers;
  }
}
