package dev.semel.example.streams;

import dev.semel.json.Json;
import dev.semel.json.JsonPointer;
import dev.semel.json.JsonValue;
import java.util.Optional;

/** One order in the stream. */
record Order(long number) {
  static final String STREAM = "orders";

  private static final JsonPointer NUMBER = JsonPointer.parse("/order");

  String json() {
    return Json.object().with("order", number).write();
  }

  /** Parses a message; empty: it is about something else. */
  static Optional<Order> in(String message) {
    return NUMBER
        .in(Json.parse(message))
        .map(found -> new Order(((JsonValue.JsonNumber) found).value().longValueExact()));
  }
}
