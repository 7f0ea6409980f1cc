package dev.semel.server.subscription;

import static dev.semel.server.subscription.Harness.ack;
import static dev.semel.server.subscription.Harness.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.subscription.Receiver.Received;
import dev.semel.server.subscription.internal.http.WebhookOutlet;
import dev.semel.stream.Offset;
import io.vertx.core.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Closed and opened again on the same streams, subscriptions continue. */
@Tag("service")
@Timeout(600)
final class RestartTest {
  private final Harness harness = new Harness();
  private final Receiver receiver = new Receiver(harness.vertx);

  @AfterEach
  void close() {
    receiver.close();
    harness.close();
  }

  private void subscribe(long lease) {
    assertThat(harness.putWebhook("s", receiver, lease).status()).isEqualTo(201);
  }

  @Test
  void whatWasAppendedMeanwhileIsFound() {
    harness.create("events/old", "[1]");
    subscribe(1000);
    receiver.answers(200, "{\"done\":true}");
    harness.subscriptions().close();
    Offset old = harness.appendUnnoticed("events/old", "2");
    Offset fresh = harness.createUnnoticed("events/new", "[1]");
    harness.restart();
    eventually("found", () -> harness.acked("s", "events/old").equals(old.text()));
    eventually("found", () -> harness.acked("s", "events/new").equals(fresh.text()));
  }

  @Test
  void whatWasDeletedMeanwhileIsForgotten() {
    harness.create("events/a", "[1]");
    harness.create("events/b", "[1,2,3]");
    subscribe(1000);
    receiver.answers(200, "{\"done\":true}");
    harness.subscriptions().close();
    harness.delete("events/a");
    harness.delete("events/b");
    Offset fresh = harness.createUnnoticed("events/b", "[7]");
    harness.restart();
    assertThat(receiver.next().stream("events/b").text("tail_offset")).isEqualTo(fresh.text());
    eventually("found", () -> harness.acked("s", "events/b").equals(fresh.text()));
    assertThat(harness.acked("s", "events/a")).isEmpty();
  }

  @Test
  void aHolderKeepsItsWakeAndItsToken() {
    subscribe(60_000);
    Offset tail = harness.create("events/a", "[1]");
    Received wake = receiver.next();
    eventually("taken on", () -> harness.get("s").body().text("status").equals("active"));
    harness.restart();
    assertThat(
            harness
                .act(
                    "s",
                    "callback",
                    wake.body().text("callback_token"),
                    ack(wake.wake(), wake.generation(), "events/a", tail, true))
                .text())
        .isEqualTo("{\"ok\":true,\"next_wake\":false}");
    harness.restart();
    assertThat(harness.acked("s", "events/a")).isEqualTo(tail.text());
  }

  @Test
  void aPauseGoesOnAndTheSameWakeIsCalledFor() {
    subscribe(60_000);
    receiver.answers(503, "");
    harness.create("events/a", "[1]");
    Received first = receiver.next();
    eventually("failed", () -> harness.get("s").body().text("status").equals("failed"));
    harness.restart();
    assertThat(harness.get("s").body().text("status")).isEqualTo("failed");
    receiver.answers(200, "{\"done\":true}");
    Received second = receiver.next();
    assertThat(second.wake()).isEqualTo(first.wake());
    assertThat(second.raw()).isEqualTo(first.raw());
    eventually("well", () -> harness.get("s").body().text("status").equals("active"));
  }

  @Test
  void keysAndConfigurationStay() {
    subscribe(1000);
    String keys = harness.call("GET", harness.url("jwks.json"), "", "").text();
    String kid = Harness.now(harness.subscriptions().rotateKey());
    harness.restart();
    String after = harness.call("GET", harness.url("jwks.json"), "", "").text();
    assertThat(after).contains(kid).contains(keys.substring(9, keys.length() - 2));
    subscribeAgain();
  }

  private void subscribeAgain() {
    assertThat(
            harness
                .put(
                    "s",
                    "{\"lease_ttl_ms\":1000,\"webhook\":{\"url\":\"%s\"},\"pattern\":\"/events/*/\",\"type\":\"webhook\",\"streams\":[]}"
                        .formatted(receiver.url()))
                .status())
        .isEqualTo(200);
  }

  @Test
  void theStateIsWrittenAnewWhenItHasGrownAndNothingIsLost() {
    try (Harness small =
        new Harness(
            harness.streams,
            SubscriptionSettings.defaults()
                .withLoopbackWebhooks(true)
                .withLimits(SmallLimits.logBytes(2000)),
            WebhookOutlet.ofThisMachine())) {
      small.putWebhook("s", receiver, 60_000);
      receiver.answers(200, "{\"done\":true}");
      small.create("events/a", "[0]");
      for (int i = 0; i < 40; i++) {
        Offset tail = small.append("events/a", "" + i);
        eventually("acknowledged", () -> small.acked("s", "events/a").equals(tail.text()));
        if (i % 10 == 5) {
          small.restart();
          assertThat(small.acked("s", "events/a")).isEqualTo(tail.text());
        }
      }
      long last = 0;
      while (receiver.waiting() > 0) {
        long generation = receiver.next().generation();
        assertThat(generation).isGreaterThan(last);
        last = generation;
      }
      assertThat(last).isGreaterThanOrEqualTo(40);
    }
  }

  @Test
  void nobodyCanReachTheStateFromOutside() {
    subscribe(1000);
    assertThat(Harness.now(Future.fromCompletionStage(harness.streams.list("", "", 100))))
        .isEmpty();
  }
}
