package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.event.SemelListener;
import dev.semel.http.spi.GuardedRequest;
import dev.semel.http.spi.HttpAnswer;
import dev.semel.http.spi.HttpAnswer.Kind;
import dev.semel.http.spi.HttpResponse;
import dev.semel.idempotency.EffectUnknown;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.FailurePolicy;
import dev.semel.idempotency.GuardedExecutor;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.OperationSetting;
import dev.semel.idempotency.OperationSettings;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.Work;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The last step: running, or answering without. */
class HttpIdempotencyTest {
  private static final HttpRules RULES = HttpRules.of("payments");
  private static final HttpHeader KEY = new HttpHeader("Idempotency-Key", "k1");
  private static final HttpHeader RETENTION = new HttpHeader("Idempotency-Retention", "86400");

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-17T00:00:00Z"));
  private final MemoryStore store = new MemoryStore((InstantSource) now::get);
  private final Idempotency idempotency = new Idempotency(store, SemelListener.NONE);
  private final AtomicInteger ran = new AtomicInteger();

  @AfterEach
  void close() {
    idempotency.close();
  }

  private static GuardedRequest guarded(HttpIdempotency http) {
    return Heads.guarded(http, Heads.post("k1"), "{}");
  }

  private HttpResponse charge() {
    int n = ran.incrementAndGet();
    return new HttpResponse(
        201,
        List.of(
            new HttpHeader("Location", "/charges/" + n), new HttpHeader("Set-Cookie", "s=" + n)),
        ("charge " + n).getBytes(StandardCharsets.UTF_8));
  }

  private HttpAnswer execute(HttpRules rules) {
    HttpIdempotency http = new HttpIdempotency(idempotency, rules);
    return http.execute(guarded(http), execution -> charge());
  }

  private static HttpAnswer answering(HttpIdempotency http, int status) {
    return http.execute(
        guarded(http), execution -> new HttpResponse(status, List.of(), new byte[0]));
  }

  private static void assertRefused(HttpAnswer answer, HttpRefusal refusal, int status) {
    assertThat(answer.kind()).isEqualTo(Kind.REFUSED);
    assertThat(answer.response().status()).isEqualTo(status);
    assertThat(new String(answer.response().body(), StandardCharsets.UTF_8))
        .contains(refusal.type())
        .contains("\"status\":" + status);
  }

  @Test
  void theFirstRunsAndTheNextGetsWhatMayBeRepeated() {
    HttpAnswer first = execute(RULES);
    assertThat(first.kind()).isEqualTo(Kind.EXECUTED);
    assertThat(first.added()).containsExactly(KEY, RETENTION);
    assertThat(first.response().headers()).hasSize(2);

    now.updateAndGet(t -> t.plusSeconds(60));
    HttpAnswer second = execute(RULES);
    assertThat(second.kind()).isEqualTo(Kind.REPLAYED);
    assertThat(second.response().status()).isEqualTo(201);
    assertThat(second.response().body()).isEqualTo(first.response().body());
    assertThat(second.response().headers())
        .containsExactly(new HttpHeader("Location", "/charges/1"));
    assertThat(second.added())
        .containsExactly(
            KEY,
            new HttpHeader("Idempotency-Retention", "86340"),
            new HttpHeader("Idempotency-Replayed", "true"));
    assertThat(ran).hasValue(1);
  }

  @Test
  void anAnswerThatIsNotKeptPromisesNoRetention() {
    HttpIdempotency http = new HttpIdempotency(idempotency, RULES);
    HttpAnswer first = answering(http, 503);
    assertThat(first.kind()).isEqualTo(Kind.EXECUTED);
    assertThat(first.response().status()).isEqualTo(503);
    assertThat(first.added()).containsExactly(KEY);
    assertThat(answering(http, 201).kind()).isEqualTo(Kind.EXECUTED);
  }

  /** What the policy calls a failure is what the handler throws, not what it answers. */
  @Test
  void whatIsNotKeptIsGivenBackEvenWhereFailuresAreFinal() {
    HttpIdempotency http =
        new HttpIdempotency(
            idempotency,
            RULES.withPolicy(ExecutionPolicy.defaults().withOnFailure(FailurePolicy.STORE)));
    assertThat(answering(http, 503).response().status()).isEqualTo(503);
    assertThat(answering(http, 200).kind()).isEqualTo(Kind.EXECUTED);
  }

  @Test
  void andEvenWhereAnOperatorCallsThemFinal() {
    set(OperationSetting.ON_FAILURE, "store");
    try (Idempotency settled = new Idempotency(store, SemelListener.NONE)) {
      HttpIdempotency http = new HttpIdempotency(settled, RULES);
      assertThat(answering(http, 503).response().status()).isEqualTo(503);
      assertThat(answering(http, 200).kind()).isEqualTo(Kind.EXECUTED);
    }
  }

  @Test
  void whatTheHandlerThrowsIsThrownOnAndTheRetryRuns() {
    HttpIdempotency http = new HttpIdempotency(idempotency, RULES);
    IOException mistake = new IOException("card network away");
    assertThatThrownBy(
            () ->
                http.execute(
                    guarded(http),
                    execution -> {
                      throw mistake;
                    }))
        .isSameAs(mistake);
    assertThat(execute(RULES).kind()).isEqualTo(Kind.EXECUTED);
  }

  /** Its own trouble with a store says nothing about the record of this request. */
  @Test
  void aHandlersOwnStoreExceptionIsThrownOnToo() {
    HttpIdempotency http = new HttpIdempotency(idempotency, RULES);
    StoreException own = new StoreException("the outbox is away");
    assertThatThrownBy(
            () ->
                http.execute(
                    guarded(http),
                    execution -> {
                      throw own;
                    }))
        .isSameAs(own);
  }

  @Test
  void aFinalFailureIsToldToAll() {
    HttpRules rules =
        RULES.withPolicy(ExecutionPolicy.defaults().withOnFailure(FailurePolicy.STORE));
    HttpIdempotency http = new HttpIdempotency(idempotency, rules);
    for (int i = 0; i < 2; i++) {
      HttpAnswer answer =
          http.execute(
              guarded(http),
              execution -> {
                throw new IllegalArgumentException("no such account");
              });
      assertRefused(answer, HttpRefusal.FAILED, 500);
      assertThat(new String(answer.response().body(), StandardCharsets.UTF_8))
          .doesNotContain("no such account"); // what a handler threw is not for clients
    }
  }

  @Test
  void anUnknownEffectIsThrownOnAndTheRetryIsInDoubt() {
    HttpIdempotency http = new HttpIdempotency(idempotency, RULES);
    assertThatThrownBy(
            () ->
                http.execute(
                    guarded(http),
                    execution -> {
                      throw new EffectUnknown("no answer", new IOException());
                    }))
        .isInstanceOf(EffectUnknown.class);
    now.updateAndGet(t -> t.plusMillis(1));
    HttpAnswer retry = execute(RULES);
    assertRefused(retry, HttpRefusal.IN_DOUBT, 409);
    assertThat(retry.added()).containsExactly(KEY);
    assertThat(ran).hasValue(0);
  }

  @Test
  void whileOneIsAtWorkOthersAreToldWhenToComeAgain() {
    HttpIdempotency http = new HttpIdempotency(idempotency, RULES);
    http.execute(
        guarded(http),
        execution -> {
          HttpAnswer other = execute(RULES);
          assertRefused(other, HttpRefusal.IN_FLIGHT, 409);
          assertThat(other.added()).containsExactly(new HttpHeader("Retry-After", "2"), KEY);
          return charge();
        });
    assertThat(ran).hasValue(1);
  }

  @Test
  void anotherRequestWithTheKeyIsAMismatch() {
    execute(RULES);
    HttpIdempotency http = new HttpIdempotency(idempotency, RULES);
    GuardedRequest other = Heads.guarded(http, Heads.post("k1"), "{\"amount\":1}");
    assertRefused(http.execute(other, execution -> charge()), HttpRefusal.MISMATCH, 422);
  }

  @Test
  void aStreamedAnswerAndOneOverTheLimitAreNotReplayable() {
    HttpRules small = RULES.withPolicy(ExecutionPolicy.defaults().withMaxResponseBytes(100));
    HttpIdempotency http = new HttpIdempotency(idempotency, small);
    for (HttpResponse response :
        List.of(HttpResponse.notKept(200), new HttpResponse(200, List.of(), new byte[101]))) {
      GuardedRequest guarded = Heads.guarded(http, Heads.post("k" + ran.incrementAndGet()), "{}");
      HttpAnswer first = http.execute(guarded, execution -> response);
      assertThat(first.kind()).isEqualTo(Kind.EXECUTED);
      assertThat(first.response()).isSameAs(response);
      HttpAnswer second = http.execute(guarded, execution -> charge());
      assertRefused(second, HttpRefusal.NOT_REPLAYABLE, 409);
    }
  }

  @Test
  void whileTheStoreIsAwayNothingRunsAndItSaysSo() {
    HttpAnswer answer = with(new Away(false));
    assertRefused(answer, HttpRefusal.STORE_AWAY, 503);
    assertThat(answer.added()).containsExactly(new HttpHeader("Retry-After", "2"));
    assertThat(new String(answer.response().body(), StandardCharsets.UTF_8))
        .contains("so it was not done");
    assertThat(ran).hasValue(0);
  }

  /** As when the answer to a COMMIT was lost, and could not be found out. */
  @Test
  void aStoreThatLeavesAfterTheHandlerRanIsNotCalledUndone() {
    HttpAnswer answer = with(new Away(true));
    assertRefused(answer, HttpRefusal.STORE_AWAY, 503);
    assertThat(new String(answer.response().body(), StandardCharsets.UTF_8))
        .doesNotContain("not done");
    assertThat(ran).hasValue(1);
  }

  private record Away(boolean runs) implements GuardedExecutor {
    @Override
    public <T, X extends Exception> Outcome<T> execute(ExecutionRequest<T> request, Work<T, X> work)
        throws X {
      if (runs) {
        work.run(Heads.EXECUTION);
      }
      throw new StoreException("away");
    }
  }

  @Test
  void anExecutionThatCouldNotBeRecordedSaysSo() {
    HttpAnswer answer = with(new Unrecorded());
    assertThat(answer.kind()).isEqualTo(Kind.EXECUTED);
    assertThat(answer.added())
        .containsExactly(KEY, new HttpHeader("Idempotency-Recorded", "false"));
  }

  private static final class Unrecorded implements GuardedExecutor {
    @Override
    public <T, X extends Exception> Outcome<T> execute(ExecutionRequest<T> request, Work<T, X> work)
        throws X {
      return new Outcome.Executed<>(work.run(Heads.EXECUTION), 1, false);
    }
  }

  private HttpAnswer with(GuardedExecutor once) {
    HttpIdempotency http = new HttpIdempotency(once, RULES);
    return http.execute(guarded(http), execution -> charge());
  }

  @Test
  void whereAnOperatorSwitchedItOffEveryRequestRunsAndNothingIsPromised() {
    set(OperationSetting.MODE, "off");
    assertUnguarded(List.of(KEY));
  }

  /** The first claims its key as ever; only its duplicates are let through. */
  @Test
  void whereItOnlyObservesDuplicatesRun() {
    set(OperationSetting.MODE, "observe");
    assertUnguarded(List.of(KEY, RETENTION));
  }

  private void assertUnguarded(List<HttpHeader> first) {
    try (Idempotency settled = new Idempotency(store, SemelListener.NONE)) {
      HttpIdempotency http = new HttpIdempotency(settled, RULES);
      assertThat(http.execute(guarded(http), execution -> charge()).added()).isEqualTo(first);
      HttpAnswer second = http.execute(guarded(http), execution -> charge());
      assertThat(second.kind()).isEqualTo(Kind.EXECUTED);
      assertThat(second.added()).containsExactly(KEY);
      assertThat(ran).hasValue(2);
    }
  }

  private void set(OperationSetting setting, String value) {
    OperationSettings settings =
        OperationSettings.parse("{}").with(Map.of(setting, value), now.get());
    assertThat(store.settings().write(new Operation("payments"), 0, settings.text())).isTrue();
  }

  @Test
  void retentionIsThePolicys() {
    HttpRules week = RULES.withPolicy(ExecutionPolicy.defaults().withRetention(Duration.ofDays(7)));
    assertThat(execute(week).added()).contains(new HttpHeader("Idempotency-Retention", "604800"));
  }
}
