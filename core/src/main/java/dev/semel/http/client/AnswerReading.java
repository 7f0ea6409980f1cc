package dev.semel.http.client;

import dev.semel.InvalidInput;
import dev.semel.http.HttpHeader;
import dev.semel.http.HttpRefusal;
import dev.semel.json.Json;
import dev.semel.json.JsonPointer;
import dev.semel.json.JsonValue;
import java.net.http.HttpResponse;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What stands in an answer that matters here. */
final class AnswerReading {
  private static final JsonPointer TYPE = JsonPointer.parse("/type");
  private static final int MAX_DIGITS = 9;

  private AnswerReading() {}

  static AnswerVerdict verdict(HttpResponse<byte[]> answer) {
    boolean replayed =
        answer.headers().firstValue(HttpHeader.REPLAYED).filter("true"::equals).isPresent();
    boolean retryAfter = answer.headers().firstValue("Retry-After").isPresent();
    return AnswerVerdict.of(answer.statusCode(), replayed, refusal(answer), retryAfter);
  }

  /** Empty where no Semel server refused it. */
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
      return Optional.empty(); // then its status has to do
    }
  }

  /**
   * How long the server asks to wait; nothing where it does not, or not in a way that is known.
   *
   * @param now by this machine, for a server that sends no date of its own
   */
  static Duration retryAfter(HttpResponse<byte[]> answer, Instant now) {
    String text = answer.headers().firstValue("Retry-After").orElse("").strip();
    if (text.matches("\\d{1," + MAX_DIGITS + "}")) {
      return Duration.ofSeconds(Long.parseLong(text));
    }
    // By the server's own clock where it says what that is: ours may be wrong.
    Instant at = answer.headers().firstValue("Date").flatMap(AnswerReading::date).orElse(now);
    return date(text)
        .map(until -> Duration.between(at, until))
        .filter(wait -> !wait.isNegative())
        .orElse(Duration.ZERO);
  }

  private static Optional<Instant> date(String text) {
    try {
      return Optional.of(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text)));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
