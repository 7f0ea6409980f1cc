package dev.semel.server.subscription;

import static dev.semel.server.subscription.Harness.ack;
import static dev.semel.server.subscription.Harness.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.server.subscription.Harness.Got;
import dev.semel.server.subscription.internal.rules.JsonFields;
import dev.semel.stream.Offset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers that read a wake stream and race for the claim, over HTTP. */
@Tag("service")
@Timeout(600)
final class PullWakeTest {
  private final Harness harness = new Harness();

  @BeforeEach
  void subscribe() {
    harness.create("wake", "[]");
    assertThat(harness.putPull("s", 60_000).status()).isEqualTo(201);
  }

  /** With the shortest lease, for tests that wait for its end. */
  private void subscribeShortly() {
    harness.call("DELETE", harness.url("subscriptions/s"), "", "");
    assertThat(harness.putPull("s", 1000).status()).isEqualTo(201);
  }

  @AfterEach
  void close() {
    harness.close();
  }

  private List<JsonFields> events() {
    JsonArray events = (JsonArray) Json.parse(harness.read("wake"));
    return events.items().stream().map(value -> new JsonFields((JsonObject) value)).toList();
  }

  private void eventuallyEvents(int count) {
    eventually(count + " events", () -> events().size() >= count);
    assertThat(events()).hasSize(count);
  }

  private Got claim(String worker) {
    return harness.act("s", "claim", "", "{\"worker\":\"%s\"}".formatted(worker));
  }

  private Got finish(JsonFields claim, String path, Offset offset, boolean done) {
    return harness.act(
        "s",
        "ack",
        claim.text("token"),
        ack(claim.text("wake_id"), claim.number("generation"), path, offset, done));
  }

  @Test
  void anEventAClaimAnAcknowledgement() {
    Offset tail = harness.create("events/a", "[1]");
    eventuallyEvents(1);
    JsonFields event = events().getFirst();
    assertThat(event.text("type")).isEqualTo("wake");
    assertThat(event.text("subscription_id")).isEqualTo("s");
    assertThat(event.text("stream")).isEqualTo("events/a");
    assertThat(event.number("generation")).isEqualTo(1);
    assertThat(event.number("ts")).isPositive();
    Got claim = claim("one");
    assertThat(claim.status()).isEqualTo(200);
    assertThat(claim.body().number("generation")).isEqualTo(1);
    assertThat(claim.body().number("lease_ttl_ms")).isEqualTo(60_000);
    JsonFields stream = new JsonFields((JsonObject) claim.body().list("streams").getFirst());
    assertThat(stream.text("tail_offset")).isEqualTo(tail.text());
    assertThat(finish(claim.body(), "events/a", tail, true).text())
        .isEqualTo("{\"ok\":true,\"next_wake\":false}");
    assertThat(finish(claim.body(), "events/a", tail, true).code()).isEqualTo("FENCED");
    assertThat(claim("one").code()).isEqualTo("NO_PENDING_WORK");
  }

  @Test
  void oneOfManyWorkersGetsTheClaim() throws Exception {
    harness.create("events/a", "[1]");
    eventuallyEvents(1);
    List<Callable<Got>> racers = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      String name = "worker-" + i;
      racers.add(() -> claim(name));
    }
    int granted = 0;
    try (ExecutorService pool = Executors.newFixedThreadPool(16)) {
      for (Future<Got> each : pool.invokeAll(racers)) {
        Got got = each.get();
        granted += got.status() == 200 ? 1 : 0;
        if (got.status() != 200) {
          assertThat(got.code()).isEqualTo("ALREADY_CLAIMED");
          JsonFields error = got.body().findObject("error").orElseThrow();
          assertThat(error.text("current_holder")).startsWith("worker-");
          assertThat(error.number("generation")).isEqualTo(1);
        }
      }
    }
    assertThat(granted).isEqualTo(1);
  }

  @Test
  void releaseWakesOthers() {
    harness.create("events/a", "[1]");
    JsonFields claim = claim("one").body();
    String release =
        Json.object()
            .with("wake_id", claim.text("wake_id"))
            .with("generation", claim.number("generation"))
            .write();
    assertThat(harness.act("s", "release", claim.text("token"), release).status()).isEqualTo(204);
    assertThat(harness.act("s", "release", claim.text("token"), release).code())
        .isEqualTo("FENCED");
    eventuallyEvents(2);
    assertThat(claim("two").body().number("generation")).isEqualTo(2);
  }

  @Test
  void aWorkerThatGoesSilentIsReplaced() {
    subscribeShortly();
    Offset tail = harness.create("events/a", "[1]");
    JsonFields claim = claim("one").body();
    eventuallyEvents(2); // the lease of one second is over
    assertThat(finish(claim, "events/a", tail, true).code()).isEqualTo("FENCED");
    assertThat(harness.acked("s", "events/a")).isEqualTo(Offset.ZERO.text());
    eventually(
        "whoever is quick enough finishes it",
        () -> {
          Got next = claim("two");
          return next.status() == 200
              && finish(next.body(), "events/a", tail, true).status() == 200;
        });
  }

  @Test
  void aClaimAndAnAcknowledgementSeeWhatNobodyToldUs() {
    harness.create("events/a", "[1]");
    JsonFields claim = claim("one").body();
    Offset further = harness.append("events/a", "2");
    assertThat(finish(claim, "events/a", further, true).status()).isEqualTo(200);
    // Directly to the engine, without the watcher.
    harness.appendUnnoticed("events/a", "3");
    assertThat(claim("two").status()).isEqualTo(200);
  }

  @Test
  void anEventIsWrittenOnceAlsoAfterARestart() {
    harness.create("events/a", "[1]");
    eventuallyEvents(1);
    harness.restart();
    assertThat(claim("one").status()).isEqualTo(200);
    harness.restart();
    assertThat(claim("two").code()).isEqualTo("ALREADY_CLAIMED");
    assertThat(events()).hasSize(1);
  }

  @Test
  void aLeaseBeginsAgainWithARestartAndEnds() {
    subscribeShortly();
    harness.create("events/a", "[1]");
    assertThat(claim("one").status()).isEqualTo(200);
    harness.restart();
    eventually("another wake", () -> events().size() == 2);
    assertThat(events().get(1).number("generation")).isEqualTo(2);
  }

  @Test
  void theWakeStreamMustBeThereAndMayGoLater() {
    Got missing =
        harness.put("t", "{\"type\":\"pull-wake\",\"pattern\":\"x\",\"wake_stream\":\"none\"}");
    assertThat(missing.status()).isEqualTo(400);
    assertThat(missing.code()).isEqualTo("INVALID_REQUEST");
    harness.delete("wake");
    harness.create("events/a", "[1]");
    eventually("failed", () -> harness.get("s").body().text("status").equals("failed"));
    harness.create("wake", "[]");
    eventuallyEvents(1);
    eventually("active", () -> harness.get("s").body().text("status").equals("active"));
  }

  @Test
  void aSubscriptionMayFollowAnothersWakeStream() {
    harness.create("wake2", "[]");
    harness.put("t", "{\"type\":\"pull-wake\",\"streams\":[\"wake\"],\"wake_stream\":\"wake2\"}");
    harness.create("events/a", "[1]");
    eventually("events", () -> harness.read("wake2").contains("\"subscription_id\":\"t\""));
  }
}
