package dev.semel.admin.internal;

import dev.semel.event.EventLine;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonNumber;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How the last failed attempt at a key failed, even if the key was released afterwards. It comes
 * from the event log, so it is known for as long as that keeps its lines.
 *
 * @param attempt 0: not known
 * @param failure such as the exception's class; else the event's kind
 */
public record LastError(Instant at, int attempt, String failure) {
  /** How many of a key's newest events are searched. */
  public static final int EVENTS = 200;

  private static final Set<String> KINDS =
      Set.of("released", "failure-stored", "job-retried", "job-buried", "store-failed");

  /** The newest of these lines that reports a failure. */
  public static Optional<LastError> in(List<EventLine> lines) {
    return lines.stream()
        .filter(line -> KINDS.contains(line.kind()))
        .max(Comparator.comparingLong(EventLine::atMillis))
        .map(LastError::of);
  }

  private static LastError of(EventLine line) {
    JsonObject details = (JsonObject) Json.parse(line.details());
    String more = line.personal().more();
    JsonObject personal = more.isEmpty() ? Json.object().build() : (JsonObject) Json.parse(more);
    String failure = text(details, "failure");
    String error = text(personal, "error");
    String both = failure.isEmpty() || error.isEmpty() ? failure + error : failure + ": " + error;
    return new LastError(
        Instant.ofEpochMilli(line.atMillis()),
        details
            .get("attempt")
            .filter(JsonNumber.class::isInstance)
            .map(number -> Integer.parseInt(Json.write(number)))
            .orElse(0),
        both.isEmpty() ? line.kind() : both);
  }

  private static String text(JsonObject object, String name) {
    Optional<JsonValue> value = object.get(name);
    return value.isPresent() && value.get() instanceof JsonString string ? string.text() : "";
  }
}
