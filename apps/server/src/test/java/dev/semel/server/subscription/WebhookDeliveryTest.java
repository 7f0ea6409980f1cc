package dev.semel.server.subscription;

import static dev.semel.server.subscription.Harness.ack;
import static dev.semel.server.subscription.Harness.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.json.JsonValue.JsonObject;
import dev.semel.server.subscription.Harness.Got;
import dev.semel.server.subscription.Receiver.Received;
import dev.semel.server.subscription.internal.rules.JsonFields;
import dev.semel.server.subscription.internal.rules.SigningKeyTest;
import dev.semel.stream.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Webhooks from the append to the acknowledgement, over HTTP. */
@Tag("service")
@Timeout(600)
final class WebhookDeliveryTest {
  private final Harness harness = new Harness();
  private final Receiver receiver = new Receiver(harness.vertx);

  /** Long enough for a busy machine; the shortest for tests that wait for its end. */
  private static final long LONG = 60_000;

  private static final long SHORT = 1000;

  private void subscribe(long lease) {
    assertThat(harness.putWebhook("s", receiver, lease).status()).isEqualTo(201);
  }

  @AfterEach
  void close() {
    receiver.close();
    harness.close();
  }

  private Got callback(Received wake, String path, Offset offset, boolean done) {
    return harness.call(
        "POST",
        wake.body().text("callback_url"),
        ack(wake.wake(), wake.generation(), path, offset, done),
        wake.body().text("callback_token"));
  }

  @Test
  void aWakeIsSignedAndSaysWhatIsPending() {
    subscribe(LONG);
    Offset tail = harness.create("events/a", "[1,2]");
    Received wake = receiver.next();
    JsonFields body = wake.body();
    assertThat(wake.path()).isEqualTo("/hook");
    assertThat(body.text("subscription_id")).isEqualTo("s");
    assertThat(body.number("generation")).isEqualTo(1);
    assertThat(body.text("wake_id")).startsWith("w_");
    assertThat(body.text("callback_url")).isEqualTo(harness.url("subscriptions/s/callback"));
    JsonFields stream = wake.stream("events/a");
    assertThat(stream.text("link_type")).isEqualTo("glob");
    assertThat(stream.text("acked_offset")).isEqualTo(Offset.ZERO.text());
    assertThat(stream.text("tail_offset")).isEqualTo(tail.text());
    assertThat(stream.flag("has_pending")).isTrue();
    assertThat(SigningKeyTest.verifies(key(wake), wake.signature(), wake.raw())).isTrue();
  }

  /** Finds the key like a receiver: by the id in the signature, in the server's public document. */
  private String key(Received wake) {
    JsonFields signing =
        harness
            .get("s")
            .body()
            .findObject("webhook")
            .orElseThrow()
            .findObject("signing")
            .orElseThrow();
    assertThat(signing.text("alg")).isEqualTo("ed25519");
    Got keys = harness.call("GET", signing.text("jwks_url"), "", "");
    assertThat(keys.response().headers().firstValue("content-type"))
        .contains("application/jwk-set+json");
    assertThat(keys.response().headers().firstValue("cache-control"))
        .contains("public, max-age=300");
    return keys.body().list("keys").stream()
        .map(value -> new JsonFields((JsonObject) value))
        .filter(key -> wake.signature().contains("kid=" + key.text("kid") + ","))
        .map(key -> key.text("x"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void doneAcknowledgesTheSnapshot() {
    subscribe(LONG);
    receiver.answers(200, "{\"done\":true}");
    Offset tail = harness.create("events/a", "[1]");
    receiver.next();
    eventually("acknowledged", () -> harness.acked("s", "events/a").equals(tail.text()));
    Offset more = harness.append("events/a", "2");
    assertThat(receiver.next().generation()).isEqualTo(2);
    eventually("acknowledged", () -> harness.acked("s", "events/a").equals(more.text()));
  }

  @Test
  void whatComesDuringAWakeWakesAgain() {
    subscribe(LONG);
    Offset first = harness.create("events/a", "[1]");
    Received wake = receiver.next();
    Offset second = harness.append("events/a", "2");
    Got answer = callback(wake, "events/a", first, true);
    assertThat(answer.text()).isEqualTo("{\"ok\":true,\"next_wake\":true}");
    Received next = receiver.next();
    assertThat(next.generation()).isEqualTo(2);
    assertThat(next.wake()).isNotEqualTo(wake.wake());
    assertThat(next.stream("events/a").text("tail_offset")).isEqualTo(second.text());
  }

  @Test
  void aCallbackAcknowledgesOnceAndIsFencedThen() {
    subscribe(LONG);
    Offset tail = harness.create("events/a", "[1]");
    Received wake = receiver.next();
    Got answer = callback(wake, "events/a", tail, true);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.text()).isEqualTo("{\"ok\":true,\"next_wake\":false}");
    assertThat(harness.acked("s", "events/a")).isEqualTo(tail.text());
    Got again = callback(wake, "events/a", tail, true);
    assertThat(again.status()).isEqualTo(409);
    assertThat(again.code()).isEqualTo("FENCED");
  }

  @Test
  void aCallbackNeedsItsToken() {
    subscribe(LONG);
    Offset tail = harness.create("events/a", "[1]");
    Received wake = receiver.next();
    String body = ack(wake.wake(), wake.generation(), "events/a", tail, true);
    assertThat(harness.act("s", "callback", "", body).status()).isEqualTo(401);
    assertThat(harness.act("s", "callback", "x.y", body).code()).isEqualTo("TOKEN_INVALID");
    harness.putWebhook("t", receiver, LONG);
    assertThat(harness.act("t", "callback", wake.body().text("callback_token"), body).code())
        .isEqualTo("TOKEN_INVALID");
    assertThat(harness.acked("s", "events/a")).isEqualTo(Offset.ZERO.text());
  }

  @Test
  void aFailedCallIsMadeAgainForTheSameWake() {
    subscribe(LONG);
    receiver.answers(500, "");
    harness.create("events/a", "[1]");
    Received first = receiver.next();
    eventually("failed", () -> harness.get("s").body().text("status").equals("failed"));
    receiver.answers(200, "{\"done\":true}");
    Received second = receiver.next();
    assertThat(second.wake()).isEqualTo(first.wake());
    assertThat(second.generation()).isEqualTo(first.generation());
    eventually("well again", () -> harness.get("s").body().text("status").equals("active"));
  }

  @Test
  void whoGoesSilentLosesTheWake() {
    subscribe(SHORT);
    Offset tail = harness.create("events/a", "[1]");
    Received first = receiver.next(); // accepted, and then silence
    Received second = receiver.next();
    assertThat(second.generation()).isEqualTo(first.generation() + 1);
    assertThat(callback(first, "events/a", tail, true).code()).isEqualTo("FENCED");
    Received[] last = {second};
    eventually(
        "whoever is quick enough finishes it",
        () -> {
          last[0] = receiver.waiting() > 0 ? receiver.next() : last[0];
          return callback(last[0], "events/a", tail, true).status() == 200;
        });
  }

  @Test
  void aReceiverThatNeverAnswersIsCalledAgain() {
    subscribe(SHORT);
    receiver.silent(true);
    harness.create("events/a", "[1]");
    receiver.next();
    receiver.silent(false);
    receiver.answers(200, "{\"done\":true}");
    receiver.next();
    eventually("done", () -> !harness.acked("s", "events/a").equals(Offset.ZERO.text()));
  }

  @Test
  void redirectsAreNotFollowed() {
    subscribe(LONG);
    try (Receiver elsewhere = new Receiver(harness.vertx)) {
      receiver.redirectsTo(elsewhere.url());
      harness.create("events/a", "[1]");
      receiver.next();
      receiver.next(); // tried again at the same address
      assertThat(elsewhere.waiting()).isZero();
    }
  }

  @Test
  void anAnswerOfAnyLengthOnlySaysThatItWasTaken() {
    subscribe(SHORT);
    receiver.answers(200, "{\"done\":true" + " ".repeat(1 << 20) + "}");
    harness.create("events/a", "[1]");
    Received first = receiver.next();
    assertThat(receiver.next().generation()).isEqualTo(first.generation() + 1);
    assertThat(harness.acked("s", "events/a")).isEqualTo(Offset.ZERO.text());
  }

  @Test
  void aNewKeySignsAndTheOldOneIsStillShown() {
    subscribe(LONG);
    receiver.answers(200, "{\"done\":true}");
    harness.create("events/a", "[1]");
    Received old = receiver.next();
    String kid = Harness.now(harness.subscriptions().rotateKey());
    harness.append("events/a", "2");
    Received next = receiver.next();
    assertThat(next.signature()).contains("kid=" + kid + ",");
    assertThat(SigningKeyTest.verifies(key(next), next.signature(), next.raw())).isTrue();
    assertThat(SigningKeyTest.verifies(key(old), old.signature(), old.raw())).isTrue();
  }

  @Test
  void aDeletedSubscriptionIsNotCalledAndItsCallbacksFail() {
    subscribe(LONG);
    Offset tail = harness.create("events/a", "[1]");
    Received wake = receiver.next();
    assertThat(harness.call("DELETE", harness.url("subscriptions/s"), "", "").status())
        .isEqualTo(204);
    Got late = callback(wake, "events/a", tail, true);
    assertThat(late.status()).isEqualTo(404);
    assertThat(late.code()).isEqualTo("SUBSCRIPTION_NOT_FOUND");
    harness.putWebhook("t", receiver, LONG);
    harness.append("events/a", "2");
    assertThat(receiver.next().body().text("subscription_id")).isEqualTo("t");
  }
}
