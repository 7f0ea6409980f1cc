package dev.semel.tck.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.http.HttpHeader;
import dev.semel.http.HttpRefusal;
import dev.semel.http.HttpRules;
import dev.semel.http.KeyRule;
import dev.semel.http.KeySource;
import dev.semel.http.KeySyntax;
import dev.semel.json.JsonPointer;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where keys come from, and which keys are refused. */
abstract class KeyReading extends HttpWords {
  private static final HttpRules WEBHOOKS =
      RULES.withKeySource(new KeySource.Body(JsonPointer.parse("/event/id")));

  @Test
  void bareAndQuotedTheKeyIsTheSame() {
    try (HttpFront front = start(RULES)) {
      String key = freshKey();
      HttpResponse<byte[]> first = send(front, ClickedRequest.post("/charge").key(key));
      assertReplays(first, send(front, ClickedRequest.post("/charge").key('"' + key + '"')));
      assertThat(executions(front, "/charge")).isEqualTo(1);
    }
  }

  @Test
  void theNameOfTheHeaderMayBeWrittenInAnyCase() {
    try (HttpFront front = start(RULES)) {
      String key = freshKey();
      HttpResponse<byte[]> first = send(front, ClickedRequest.post("/charge").key(key));
      assertReplays(
          first, send(front, ClickedRequest.post("/charge").header("idempotency-key", key)));
    }
  }

  @Test
  void whereTheSyntaxIsStrictTheKeyMustBeQuoted() {
    KeySource strict = new KeySource.Header(HttpHeader.KEY, KeySyntax.STRICT);
    try (HttpFront front = start(RULES.withKeySource(strict))) {
      assertRefused(
          send(front, ClickedRequest.post("/charge").key("k1")), HttpRefusal.KEY_INVALID, 400);
      ClickedRequest quoted = ClickedRequest.post("/charge").key("\"k \\\"1\\\"\"");
      HttpResponse<byte[]> first = send(front, quoted);
      assertExecuted(first, 201);
      assertThat(header(first, HttpHeader.KEY)).isEqualTo("\"k \\\"1\\\"\"");
      assertReplays(first, send(front, quoted));
    }
  }

  @Test
  void invalidKeysAreRefusedAndNothingRuns() {
    try (HttpFront front = start(RULES)) {
      for (String key :
          List.of("", "\"\"", "\"", "\"a", "\"a\"b", "\"a\\b\"", "a,b", "k".repeat(256))) {
        assertRefused(
            send(front, ClickedRequest.post("/charge").key(key)), HttpRefusal.KEY_INVALID, 400);
      }
      assertThat(executions(front, "/charge")).isZero();
    }
  }

  @Test
  void theLongestKeyIsTaken() {
    try (HttpFront front = start(RULES)) {
      ClickedRequest longest = ClickedRequest.post("/charge").key("k".repeat(KeySyntax.MAX_LENGTH));
      HttpResponse<byte[]> first = send(front, longest);
      assertReplays(first, send(front, longest));
      ClickedRequest other =
          ClickedRequest.post("/charge").key("k".repeat(KeySyntax.MAX_LENGTH - 1) + "l");
      assertExecuted(send(front, other), 201);
    }
  }

  @Test
  void twoKeysAreRefused() {
    try (HttpFront front = start(RULES)) {
      assertRefused(
          send(front, ClickedRequest.post("/charge").key("a").key("b")),
          HttpRefusal.KEY_INVALID,
          400);
      assertRefused(
          send(front, ClickedRequest.post("/charge").key("a").key("a")),
          HttpRefusal.KEY_INVALID,
          400);
      assertThat(executions(front, "/charge")).isZero();
    }
  }

  @Test
  void anotherHeaderCanCarryTheKey() {
    KeySource other = new KeySource.Header("X-Request-Id", KeySyntax.LENIENT);
    try (HttpFront front = start(RULES.withKeySource(other))) {
      ClickedRequest click = ClickedRequest.post("/charge").header("X-Request-Id", freshKey());
      HttpResponse<byte[]> first = send(front, click);
      assertThat(header(first, "X-Request-Id")).isEqualTo(click.headers().get(0).value());
      assertReplays(first, send(front, click));
      ClickedRequest standard = click();
      assertExecuted(send(front, standard), 201);
      assertExecuted(send(front, standard), 201);
    }
  }

  @Test
  void whereAKeyIsRequiredARequestWithoutOneIsRefused() {
    try (HttpFront front = start(RULES.withKeyRule(KeyRule.REQUIRED))) {
      assertRefused(send(front, ClickedRequest.post("/charge")), HttpRefusal.KEY_MISSING, 400);
      assertThat(executions(front, "/charge")).isZero();
      assertExecuted(send(front, click()), 201);
      assertExecuted(send(front, ClickedRequest.post("/charge").by("GET").body("")), 201);
    }
  }

  @Test
  void whereKeysAreGeneratedTheAnswerNamesTheKeyForTheRetry() {
    try (HttpFront front = start(RULES.withKeyRule(KeyRule.GENERATED))) {
      HttpResponse<byte[]> first = send(front, ClickedRequest.post("/charge"));
      HttpResponse<byte[]> second = send(front, ClickedRequest.post("/charge"));
      assertExecuted(first, 201);
      assertExecuted(second, 201);
      String key = header(first, HttpHeader.KEY);
      assertThat(key).isNotEmpty().isNotEqualTo(header(second, HttpHeader.KEY));
      assertReplays(first, send(front, ClickedRequest.post("/charge").key(key)));
      assertThat(executions(front, "/charge")).isEqualTo(2);
    }
  }

  @Test
  void anIdInTheBodyCanBeTheKey() {
    try (HttpFront front = start(WEBHOOKS)) {
      ClickedRequest event =
          ClickedRequest.post("/charge").body("{\"event\":{\"id\":\"evt_1\"},\"n\":1}");
      HttpResponse<byte[]> first = send(front, event);
      assertExecuted(first, 201);
      assertThat(header(first, HttpHeader.KEY)).isEqualTo("evt_1");
      assertReplays(first, send(front, event));
      assertExecuted(
          send(front, ClickedRequest.post("/charge").body("{\"event\":{\"id\":2}}")), 201);
      assertRefused(
          send(front, event.body("{\"event\":{\"id\":\"evt_1\"},\"n\":2}")),
          HttpRefusal.MISMATCH,
          422);
    }
  }

  /**
   * A webhook with a malformed body is refused; one without an id passes, like a request without a
   * header.
   */
  @Test
  void bodiesWithoutTheIdPassAndBrokenOnesAreRefused() {
    try (HttpFront front = start(WEBHOOKS)) {
      ClickedRequest without = ClickedRequest.post("/charge").body("{\"event\":{}}");
      assertThat(text(send(front, without))).contains("\"bytes\":12");
      assertExecuted(send(front, without), 201);
      for (String body : List.of("{\"event\":", "")) {
        assertRefused(send(front, without.body(body)), HttpRefusal.BODY_UNREADABLE, 400);
      }
      for (String id : List.of("[]", "\"\"", "1e999999999")) {
        ClickedRequest odd = without.body("{\"event\":{\"id\":" + id + "}}");
        assertRefused(send(front, odd), HttpRefusal.KEY_INVALID, 400);
      }
      assertThat(executions(front, "/charge")).isEqualTo(2);
    }
    try (HttpFront front = start(WEBHOOKS.withKeyRule(KeyRule.REQUIRED))) {
      ClickedRequest without = ClickedRequest.post("/charge").body("{\"event\":{}}");
      assertRefused(send(front, without), HttpRefusal.KEY_MISSING, 400);
    }
  }

  @Test
  void aRequestOverTheLimitIsRefusedBeforeItRuns() {
    int limit = 1000;
    try (HttpFront front = start(RULES.withMaxRequestBytes(limit))) {
      ClickedRequest over = click().body("x".repeat(limit + 1));
      assertRefused(send(front, over), HttpRefusal.REQUEST_TOO_LARGE, 413);
      byte[] bytes = over.body().getBytes(StandardCharsets.UTF_8);
      assertRefused(
          send(over.at(front.uri(), BodyPublishers.ofByteArrays(List.of(bytes)))),
          HttpRefusal.REQUEST_TOO_LARGE,
          413);
      assertThat(executions(front, "/charge")).isZero();
      ClickedRequest just = over.body("x".repeat(limit));
      assertReplays(send(front, just), send(front, just));
    }
  }

  @Test
  void aLargeRequestWithoutAKeyPasses() {
    try (HttpFront front = start(RULES.withMaxRequestBytes(1000))) {
      assertThat(text(send(front, ClickedRequest.post("/charge").body("x".repeat(100_000)))))
          .contains("\"bytes\":100000");
    }
  }
}
