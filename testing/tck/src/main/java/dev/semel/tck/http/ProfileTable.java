package dev.semel.tck.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.StoreException;
import dev.semel.Tenant;
import dev.semel.event.SemelListener;
import dev.semel.http.HttpIdempotency;
import dev.semel.http.HttpProfile;
import dev.semel.http.HttpRefusal;
import dev.semel.http.HttpRules;
import dev.semel.http.KeyRule;
import dev.semel.http.spi.BodyDecision;
import dev.semel.http.spi.HeadDecision;
import dev.semel.http.spi.HttpRequest;
import dev.semel.idempotency.EffectUnknown;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.FailurePolicy;
import dev.semel.idempotency.Fingerprinters;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.spi.ForwardingRecords;
import dev.semel.idempotency.spi.ForwardingStore;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.Store;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The whole table of each profile, over HTTP. */
abstract class ProfileTable extends HttpWords {
  private record Row(int ietf, int stripe, int adr) {
    int of(HttpProfile profile) {
      return switch (profile) {
        case IETF -> ietf;
        case STRIPE -> stripe;
        case ADR -> adr;
      };
    }
  }

  /** Written down again on purpose, because clients rely on these values. */
  private static final Map<HttpRefusal, Row> STATUS =
      Map.of(
          HttpRefusal.KEY_MISSING, new Row(400, 400, 400),
          HttpRefusal.KEY_INVALID, new Row(400, 400, 400),
          HttpRefusal.BODY_UNREADABLE, new Row(400, 400, 400),
          HttpRefusal.REQUEST_TOO_LARGE, new Row(413, 413, 413),
          HttpRefusal.IN_FLIGHT, new Row(409, 409, 202),
          HttpRefusal.MISMATCH, new Row(422, 400, 409),
          HttpRefusal.IN_DOUBT, new Row(409, 409, 409),
          HttpRefusal.FAILED, new Row(500, 500, 422),
          HttpRefusal.NOT_REPLAYABLE, new Row(409, 409, 409),
          HttpRefusal.STORE_AWAY, new Row(503, 503, 503));

  @TestFactory
  Stream<DynamicTest> everySituationHasItsStatusInEveryProfile() {
    return Stream.of(HttpProfile.values())
        .flatMap(
            profile ->
                Stream.of(HttpRefusal.values())
                    .map(
                        refusal ->
                            DynamicTest.dynamicTest(
                                profile + " " + refusal, () -> show(profile, refusal))));
  }

  private void show(HttpProfile profile, HttpRefusal refusal) {
    HttpRules rules =
        RULES
            .withProfile(profile)
            .withKeyRule(KeyRule.REQUIRED)
            .withMaxRequestBytes(1000)
            .withBody(Fingerprinters.HASHED.json())
            .withPolicy(
                ExecutionPolicy.defaults()
                    .withMaxResponseBytes(5000)
                    .withOnFailure(FailurePolicy.STORE));
    AtomicBoolean away = new AtomicBoolean();
    Store store =
        ForwardingStore.of(
            new MemoryStore(InstantSource.system()), inner -> new Leaving(inner, away));
    try (HttpFront front = start(rules, store)) {
      ClickedRequest click = click();
      HttpResponse<byte[]> answer =
          switch (refusal) {
            case KEY_MISSING -> send(front, ClickedRequest.post("/charge"));
            case KEY_INVALID -> send(front, ClickedRequest.post("/charge").key("a,b"));
            case BODY_UNREADABLE -> send(front, click.body("{"));
            case REQUEST_TOO_LARGE -> send(front, click.body("x".repeat(2000)));
            case IN_FLIGHT -> inFlight(front, click);
            case MISMATCH -> second(front, click, click.body("{}"));
            case IN_DOUBT -> inDoubt(front, click, rules, store);
            case FAILED -> failed(front, click, rules, store);
            case NOT_REPLAYABLE ->
                second(front, click.to("/large?bytes=20000"), click.to("/large?bytes=20000"));
            case STORE_AWAY -> {
              away.set(true);
              yield send(front, click);
            }
          };
      assertThat(STATUS).containsKey(refusal);
      assertRefused(answer, refusal, Objects.requireNonNull(STATUS.get(refusal)).of(profile));
      boolean comeAgain = refusal == HttpRefusal.IN_FLIGHT || refusal == HttpRefusal.STORE_AWAY;
      assertThat(answer.headers().firstValue("Retry-After").isPresent()).isEqualTo(comeAgain);
      boolean ran = refusal == HttpRefusal.IN_FLIGHT || refusal == HttpRefusal.MISMATCH;
      assertThat(executions(front, "/charge")).isEqualTo(ran ? 1 : 0);
    }
  }

  private static HttpResponse<byte[]> second(
      HttpFront front, ClickedRequest first, ClickedRequest then) {
    send(front, first);
    return send(front, then);
  }

  private static HttpResponse<byte[]> inFlight(HttpFront front, ClickedRequest click) {
    ClickedRequest held = click.header("X-Gate", "g");
    CompletableFuture<HttpResponse<byte[]>> first = sendLater(front, held);
    eventuallyExecuting(front, "/charge");
    HttpResponse<byte[]> second = send(front, held);
    open(front, "g");
    get(first);
    return second;
  }

  /** Lets another process start the request and lose track of its end. */
  private static HttpResponse<byte[]> inDoubt(
      HttpFront front, ClickedRequest click, HttpRules rules, Store store) {
    executeElsewhere(click, rules, store, new EffectUnknown("lost", new IllegalStateException()));
    eventually("the lease ended", () -> !inFlight(send(front, click)));
    return send(front, click);
  }

  private static HttpResponse<byte[]> failed(
      HttpFront front, ClickedRequest click, HttpRules rules, Store store) {
    executeElsewhere(click, rules, store, new IllegalArgumentException("declined for good"));
    return send(front, click);
  }

  private static void executeElsewhere(
      ClickedRequest click, HttpRules rules, Store store, RuntimeException end) {
    try (Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
      HttpIdempotency http = new HttpIdempotency(idempotency, rules);
      HttpRequest head =
          new HttpRequest(
              Tenant.DEFAULT,
              click.method(),
              click.target(),
              "",
              name ->
                  click.headers().stream()
                      .filter(header -> header.name().equalsIgnoreCase(name))
                      .map(header -> header.value())
                      .toList());
      if (http.look(head) instanceof HeadDecision.NeedsBody needsBody
          && http.read(needsBody, click.body().getBytes(StandardCharsets.UTF_8))
              instanceof BodyDecision.Ready ready) {
        http.execute(
            ready.guarded(),
            execution -> {
              throw end;
            });
      } else {
        throw new AssertionError("it is to be guarded: " + click);
      }
    } catch (EffectUnknown expected) {
      assertThat(expected).isSameAs(end);
    }
  }

  /** A store that becomes unreachable on command. */
  private record Leaving(IdempotencyStore store, AtomicBoolean away) implements ForwardingRecords {
    @Override
    public IdempotencyStore records() {
      if (away.get()) {
        throw new StoreException("the store is away, as the test wants it");
      }
      return store;
    }
  }
}
