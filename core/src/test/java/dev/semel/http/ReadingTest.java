package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.http.spi.BodyDecision;
import dev.semel.http.spi.GuardedRequest;
import dev.semel.http.spi.HeadDecision;
import dev.semel.http.spi.HttpAnswer;
import dev.semel.http.spi.HttpRequest;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Fingerprinters;
import dev.semel.idempotency.GuardedExecutor;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.Work;
import dev.semel.json.JsonPointer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The first two steps, which decide and do nothing. */
class ReadingTest {
  private static final HttpRules RULES = HttpRules.of("payments");
  private static final HttpRules WEBHOOKS =
      RULES.withKeySource(new KeySource.Body(JsonPointer.parse("/id")));
  private static final HttpRules CONTENT = RULES.withKeySource(new KeySource.Content());

  private static final class Never implements GuardedExecutor {
    @Override
    public <T, X extends Exception> Outcome<T> execute(
        ExecutionRequest<T> request, Work<T, X> work) {
      throw new AssertionError("reading runs nothing");
    }
  }

  private static HttpIdempotency http(HttpRules rules) {
    return new HttpIdempotency(new Never(), rules);
  }

  private static void assertRefused(HttpAnswer answer, HttpRefusal refusal) {
    assertThat(new String(answer.response().body(), StandardCharsets.UTF_8))
        .contains(refusal.type());
    assertThat(answer.response().headers())
        .containsExactly(
            new HttpHeader("Content-Type", "application/problem+json"),
            new HttpHeader("Cache-Control", "no-store"));
  }

  private static void assertRefused(HeadDecision look, HttpRefusal refusal) {
    assertThat(look).isInstanceOf(HeadDecision.Refused.class);
    assertRefused(((HeadDecision.Refused) look).answer(), refusal);
  }

  private static void assertRefused(BodyDecision read, HttpRefusal refusal) {
    assertThat(read).isInstanceOf(BodyDecision.Refused.class);
    assertRefused(((BodyDecision.Refused) read).answer(), refusal);
  }

  private static GuardedRequest webhook(String body) {
    return Heads.guarded(http(WEBHOOKS), Heads.post(), body);
  }

  @Test
  void otherMethodsAndRequestsWithoutAKeyPass() {
    HttpRequest get = Heads.request("GET", "/charge", HttpHeader.KEY, "k1");
    assertThat(http(RULES).look(get)).isEqualTo(new HeadDecision.Pass());
    assertThat(http(RULES).look(Heads.post())).isEqualTo(new HeadDecision.Pass());
    assertThat(http(RULES.withMethods(Set.of("GET"))).look(get))
        .isInstanceOf(HeadDecision.NeedsBody.class);
  }

  @Test
  void requiredKeysThatAreMissingAreRefused() {
    HttpRules required = RULES.withKeyRule(KeyRule.REQUIRED);
    assertRefused(http(required).look(Heads.post()), HttpRefusal.KEY_MISSING);
    HttpIdempotency webhooks = http(WEBHOOKS.withKeyRule(KeyRule.REQUIRED));
    assertRefused(Heads.read(webhooks, Heads.post(), "{}"), HttpRefusal.KEY_MISSING);
  }

  @Test
  void generatedKeysAreNewEachTime() {
    HttpIdempotency generated = http(RULES.withKeyRule(KeyRule.GENERATED));
    GuardedRequest first = Heads.guarded(generated, Heads.post(), "{}");
    GuardedRequest second = Heads.guarded(generated, Heads.post(), "{}");
    assertThat(first.request().key()).isNotEqualTo(second.request().key());
    assertThat(first.added().get(0).value()).isEqualTo(first.request().key().id());
    GuardedRequest own = Heads.guarded(generated, Heads.post("k1"), "{}");
    assertThat(own.request().key().id()).isEqualTo("k1");
    HttpIdempotency webhooks = http(WEBHOOKS.withKeyRule(KeyRule.GENERATED));
    assertThat(Heads.guarded(webhooks, Heads.post(), "{}").request().key().id()).hasSize(36);
  }

  @Test
  void severalKeysAreRefused() {
    assertRefused(http(RULES).look(Heads.post("a", "b")), HttpRefusal.KEY_INVALID);
    assertRefused(http(RULES).look(Heads.post("a", "a")), HttpRefusal.KEY_INVALID);
    assertRefused(http(RULES).look(Heads.post("a, b")), HttpRefusal.KEY_INVALID);
  }

  @Test
  void theKeyIsEchoedByTheNameAndInTheFormThatItIsSent() {
    HttpRules other = RULES.withKeySource(new KeySource.Header("X-Request-Id", KeySyntax.STRICT));
    HttpRequest head = Heads.request("POST", "/", "x-request-id", "\"k1\"");
    assertThat(Heads.guarded(http(other), head, "").added())
        .contains(new HttpHeader("X-Request-Id", "\"k1\""));
    assertThat(Heads.guarded(http(RULES), Heads.post("\"a, b\""), "").added())
        .contains(new HttpHeader("Idempotency-Key", "\"a, b\""));
  }

  @Test
  void longKeysThatDifferAtTheirEndAreDifferentKeys() {
    String head = "k".repeat(254);
    assertThat(Heads.guarded(http(RULES), Heads.post(head + "a"), "").request().key())
        .isNotEqualTo(Heads.guarded(http(RULES), Heads.post(head + "b"), "").request().key());
  }

  @Test
  void anIdInTheBodyIsTheKey() {
    GuardedRequest text = webhook("{\"id\":\"evt_1\"}");
    assertThat(text.request().key().text()).isEqualTo("default/payments:evt_1");
    assertThat(text.added()).contains(new HttpHeader("Idempotency-Key", "evt_1"));
  }

  @ParameterizedTest
  @CsvSource({"7,7", "7.0,7", "70e-1,7", "0.7e1,7", "0,0", "-0.0,0", "1e3,1000", "1.50,1.5"})
  void aNumberIsTheSameKeyHoweverItIsWritten(String number, String id) {
    assertThat(webhook("{\"id\":" + number + "}").request().key().id()).isEqualTo(id);
  }

  /** Written out, the first would be a gigabyte of zeros. */
  @ParameterizedTest
  @ValueSource(
      strings = {"1e999999999", "1e-999999999", "1e256", "\"\"", "null", "true", "[]", "{}"})
  void whatIsNoIdIsRefused(String value) {
    BodyDecision read = Heads.read(http(WEBHOOKS), Heads.post(), "{\"id\":" + value + "}");
    assertRefused(read, HttpRefusal.KEY_INVALID);
  }

  @Test
  void idsInBodiesHaveTheSameLimitAsThoseInHeaders() {
    assertThat(webhook("{\"id\":\"" + "x".repeat(255) + "\"}")).isNotNull();
    String over = "{\"id\":\"" + "x".repeat(256) + "\"}";
    assertRefused(Heads.read(http(WEBHOOKS), Heads.post(), over), HttpRefusal.KEY_INVALID);
  }

  @Test
  void anIdCannotWriteHeaders() {
    HttpHeader echo = webhook("{\"id\":\"a\\r\\nSet-Cookie: x\\u00e9\"}").added().get(0);
    assertThat(echo.value()).isEqualTo("a\\u000d\\u000aSet-Cookie: x\\u00e9");
  }

  @Test
  void bodiesThatAreNotJsonAreRefusedAsBodies() {
    assertRefused(Heads.read(http(WEBHOOKS), Heads.post(), "{"), HttpRefusal.BODY_UNREADABLE);
    HttpRules json = RULES.withBody(Fingerprinters.HASHED.json());
    assertRefused(Heads.read(http(json), Heads.post("k1"), "{"), HttpRefusal.BODY_UNREADABLE);
  }

  @Test
  void contentIsComparedAsTheRuleComparesBodies() {
    HttpIdempotency raw = http(CONTENT);
    HttpIdempotency json = http(CONTENT.withBody(Fingerprinters.HASHED.json()));
    String one = "{\"a\":1,\"b\":2}";
    String other = "{\"b\":2, \"a\":1.0}";
    assertThat(Heads.guarded(raw, Heads.post(), one).request().key())
        .isEqualTo(Heads.guarded(raw, Heads.post("ignored"), one).request().key())
        .isNotEqualTo(Heads.guarded(raw, Heads.post(), other).request().key());
    assertThat(Heads.guarded(json, Heads.post(), one).request().key())
        .isEqualTo(Heads.guarded(json, Heads.post(), other).request().key());
    HttpRequest elsewhere = Heads.request("POST", "/refund", HttpHeader.KEY);
    assertThat(Heads.guarded(raw, elsewhere, one).request().key())
        .isNotEqualTo(Heads.guarded(raw, Heads.post(), one).request().key());
  }

  @Test
  void theLimitIsToldBeforeTheBodyIsRead() {
    HeadDecision look = http(RULES.withMaxRequestBytes(10)).look(Heads.post("k1"));
    assertThat(((HeadDecision.NeedsBody) look).maxBytes()).isEqualTo(10);
    assertRefused(http(RULES).tooLarge(), HttpRefusal.REQUEST_TOO_LARGE);
  }
}
