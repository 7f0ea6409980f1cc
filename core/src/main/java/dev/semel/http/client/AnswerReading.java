package dev.semel.http.client;

import dev.semel.InvalidInput;
import dev.semel.http.HttpHeader;
import dev.semel.http.HttpRefusal;
import dev.semel.json.Json;
import dev.semel.json.JsonPointer;
import dev.semel.json.JsonValue;
import dev.semel.net.internal.RetryAfter;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the parts of an answer that decide what to do. */
final class AnswerReading {
  private static final JsonPointer TYPE = JsonPointer.parse("/type");

  private AnswerReading() {}

  static AnswerVerdict verdict(HttpResponse<byte[]> answer) {
    boolean replayed =
        answer.headers().firstValue(HttpHeader.REPLAYED).filter("true"::equals).isPresent();
    return AnswerVerdict.of(
        answer.statusCode(), replayed, refusal(answer), RetryAfter.isIn(answer.headers()));
  }

  /** The reason of a Semel server's refusal; empty where it was none. */
  static Optional<HttpRefusal> refusal(HttpResponse<byte[]> answer) {
    boolean problem =
        answer
            .headers()
            .firstValue("Content-Type")
            .filter(type -> type.toLowerCase(Locale.ROOT).startsWith("application/problem+json"))
            .isPresent();
    if (!problem) {
      return Optional.empty();
    }
    try {
      Optional<JsonValue> type = TYPE.in(Json.parse(answer.body()));
      return Stream.of(HttpRefusal.values())
          .filter(refusal -> type.equals(Optional.of(JsonValue.of(refusal.type()))))
          .findFirst();
    } catch (InvalidInput e) {
      return Optional.empty(); // then its status decides
    }
  }
}
