package dev.semel.proof.history;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonBoolean;
import dev.semel.json.JsonValue.JsonNumber;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import java.time.Duration;

/**
 * The lines of a history's file. They contain full tokens, because a proof's tokens protect
 * nothing.
 */
final class HistoryLines {
  private HistoryLines() {}

  static JsonObjectBuilder opened(String client) {
    return Json.object().with("client", client);
  }

  static JsonObjectBuilder began(long call, long nanos, Key key, RecordedAction action) {
    JsonObjectBuilder line =
        Json.object().with("began", nanos).with("call", call).with("key", key.text());
    return switch (action) {
      case RecordedAction.Claim c ->
          line.with("action", "claim")
              .with("token", c.token().text())
              .with("fingerprint", c.fingerprint().text())
              .with("lease", c.lease().toNanos())
              .with("retention", c.retention().toNanos())
              .with("takeover", c.takeover().name());
      case RecordedAction.Renew r ->
          line.with("action", "renew")
              .with("token", r.token().text())
              .with("lease", r.lease().toNanos());
      case RecordedAction.Complete c ->
          line.with("action", "complete")
              .with("token", c.token().text())
              .with("state", c.state().name())
              .with("value", c.value())
              .with("retention", c.retention().toNanos());
      case RecordedAction.Release r ->
          line.with("action", "release").with("token", r.token().text());
      case RecordedAction.Execute e ->
          line.with("action", "execute").with("takeover", e.takeover().name());
    };
  }

  static JsonObjectBuilder ended(long call, long nanos, RecordedAnswer answer) {
    return Json.object()
        .with("ended", nanos)
        .with("call", call)
        .with("answer", answer.kind().name())
        .with("attempt", answer.attempt())
        .with("value", answer.value());
  }

  static RecordedAction action(JsonObject line) {
    String action = text(line, "action");
    return switch (action) {
      case "claim" ->
          new RecordedAction.Claim(
              token(line),
              new Fingerprint(text(line, "fingerprint")),
              duration(line, "lease"),
              duration(line, "retention"),
              TakeoverPolicy.valueOf(text(line, "takeover")));
      case "renew" -> new RecordedAction.Renew(token(line), duration(line, "lease"));
      case "complete" ->
          new RecordedAction.Complete(
              token(line),
              RecordState.valueOf(text(line, "state")),
              text(line, "value"),
              duration(line, "retention"));
      case "release" -> new RecordedAction.Release(token(line));
      case "execute" -> new RecordedAction.Execute(TakeoverPolicy.valueOf(text(line, "takeover")));
      default -> throw new IllegalStateException("a history has no action " + action);
    };
  }

  static RecordedAnswer answer(JsonObject line) {
    return new RecordedAnswer(
        RecordedAnswer.Kind.valueOf(text(line, "answer")),
        Math.toIntExact(number(line, "attempt")),
        text(line, "value"));
  }

  static RecordedEffect effect(JsonObject line, String client) {
    return new RecordedEffect(
        client,
        Key.parse(text(line, "key")),
        Math.toIntExact(number(line, "attempt")),
        member(line, "takenOver", JsonBoolean.class).value(),
        text(line, "value"),
        number(line, "effect"));
  }

  private static Token token(JsonObject line) {
    return Token.parse(text(line, "token"));
  }

  private static Duration duration(JsonObject line, String name) {
    return Duration.ofNanos(number(line, name));
  }

  static String text(JsonObject line, String name) {
    return member(line, name, JsonString.class).text();
  }

  static long number(JsonObject line, String name) {
    return member(line, name, JsonNumber.class).value().longValueExact();
  }

  private static <T extends JsonValue> T member(JsonObject line, String name, Class<T> type) {
    return line.get(name)
        .filter(type::isInstance)
        .map(type::cast)
        .orElseThrow(
            () -> new IllegalStateException("a line of the history lacks " + name + ": " + line));
  }
}
