package dev.semel.server.subscription;

import static dev.semel.server.subscription.Harness.ack;
import static dev.semel.server.subscription.Harness.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.json.Json;
import dev.semel.server.subscription.Harness.Got;
import dev.semel.server.subscription.Receiver.Received;
import dev.semel.server.subscription.internal.http.WebhookOutlet;
import dev.semel.server.subscription.internal.rules.JsonFields;
import dev.semel.stream.MemoryStreams;
import dev.semel.stream.Offset;
import dev.semel.stream.spi.Streams;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The process dies between any two calls to the engine, or after the last one took effect; another
 * one takes over. What was answered holds, no work is lost, no generation has two holders.
 */
@Tag("service")
@Timeout(600)
final class CrashTest {
  /** The state is rewritten in between, so that dying there is tried, too. */
  private static final SubscriptionSettings SETTINGS =
      SubscriptionSettings.defaults()
          .withLoopbackWebhooks(true)
          .withLimits(SmallLimits.logBytes(600));

  private static final long LEASE = 1000;

  @Test
  void webhooksSurviveADeathAnywhere() {
    assertThat(everywhere(CrashTest::webhooks)).as("places to die").isGreaterThan(15);
  }

  @Test
  void claimsSurviveADeathAnywhere() {
    assertThat(everywhere(CrashTest::claims)).as("places to die").isGreaterThan(8);
  }

  /** A story in a process that dies after this many calls; returns whether it did. */
  private interface Story {
    boolean died(int calls, boolean lastTakesEffect);
  }

  private static int everywhere(Story story) {
    int calls = 0;
    boolean died = true;
    while (died) {
      boolean before = story.died(calls, false);
      boolean after = story.died(calls, true);
      died = before || after;
      calls++;
    }
    return calls - 1;
  }

  /** A process that may die, on streams that survive. */
  private static final class Life implements AutoCloseable {
    final Mortality mortal;
    final Optional<Harness> harness;

    Life(Streams streams, int calls, boolean lastTakesEffect) {
      mortal = new Mortality(calls, lastTakesEffect);
      Streams guarded = new GuardedStreams(streams, mortal);
      harness = orDeath(() -> new Harness(guarded, SETTINGS, WebhookOutlet.ofThisMachine()));
    }

    /** Waits for the answer, unless the process died. */
    <T> Optional<T> orDeath(Supplier<T> call) {
      CompletableFuture<T> answer = new CompletableFuture<>();
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  answer.complete(call.get());
                } catch (RuntimeException | AssertionError e) {
                  answer.completeExceptionally(e);
                }
              });
      eventually("answered or dead", () -> answer.isDone() || mortal.dead());
      return answer.isDone() && !answer.isCompletedExceptionally()
          ? Optional.of(answer.join())
          : Optional.empty();
    }

    @Override
    public void close() {
      harness.ifPresent(Harness::kill);
    }
  }

  /** Returns whether the process died. */
  private static boolean webhooks(int calls, boolean lastTakesEffect) {
    Streams streams = new MemoryStreams(InstantSource.system());
    Map<Long, String> wakes = new HashMap<>();
    boolean subscribed = false;
    boolean dead;
    try (Life life = new Life(streams, calls, lastTakesEffect);
        Harness other = new Harness(new MemoryStreams(InstantSource.system()));
        Receiver receiver = new Receiver(other.vertx)) {
      receiver.answers(200, "{\"done\":true}");
      if (life.harness.isPresent()) {
        Harness harness = life.harness.get();
        subscribed =
            life.orDeath(() -> harness.putWebhook("s", receiver, LEASE).status())
                .filter(status -> status == 201)
                .isPresent();
        for (int i = 0; subscribed && !life.mortal.dead() && i < 3; i++) {
          work(life, harness, streams, i);
        }
      }
      dead = life.mortal.dead();
      try (Harness next = new Harness(streams, SETTINGS, WebhookOutlet.ofThisMachine())) {
        if (subscribed) {
          assertThat(next.get("s").status()).as("was promised").isEqualTo(200);
        }
        assertThat(next.putWebhook("s", receiver, LEASE).status()).isIn(200, 201);
        if (!subscribed) {
          next.create("events/late", "[1]");
        }
        eventually("all work done", () -> allDone(next, streams));
      }
      while (receiver.waiting() > 0) {
        Received wake = receiver.next();
        assertThat(wakes.putIfAbsent(wake.generation(), wake.wake())).isIn(null, wake.wake());
      }
    }
    return dead;
  }

  /** Appends, and waits until it is acknowledged or the process is dead. */
  private static void work(Life life, Harness harness, Streams streams, int i) {
    Harness.appendOrCreate(streams, "events/" + i % 2, "[%d]".formatted(i));
    harness.subscriptions().appended(World.path("events/" + i % 2), Offset.ZERO);
    life.orDeath(
        () -> {
          eventually("done", () -> life.mortal.dead() || allDone(harness, streams));
          return true;
        });
  }

  private static boolean allDone(Harness harness, Streams streams) {
    return Harness.heads(streams).entrySet().stream()
        .filter(entry -> entry.getKey().startsWith("events/"))
        .allMatch(e -> harness.acked("s", e.getKey()).equals(e.getValue().text()));
  }

  private static boolean claims(int calls, boolean lastTakesEffect) {
    Streams streams = new MemoryStreams(InstantSource.system());
    Harness.appendOrCreate(streams, "wake", "[]");
    Optional<Got> claim = Optional.empty();
    Optional<Got> acked = Optional.empty();
    Offset tail = Offset.ZERO;
    boolean dead;
    try (Life life = new Life(streams, calls, lastTakesEffect)) {
      if (life.harness.isPresent()) {
        Harness harness = life.harness.get();
        Optional<Got> put = life.orDeath(() -> harness.putPull("s", LEASE));
        if (put.isPresent()) {
          tail = Harness.appendOrCreate(streams, "events/a", "[1,2]");
          harness.subscriptions().appended(World.path("events/a"), tail);
          claim = life.orDeath(() -> harness.act("s", "claim", "", "{\"worker\":\"one\"}"));
        }
        if (claim.filter(got -> got.status() == 200).isPresent()) {
          JsonFields granted = claim.get().body();
          String body =
              ack(granted.text("wake_id"), granted.number("generation"), "events/a", tail, true);
          acked = life.orDeath(() -> harness.act("s", "ack", granted.text("token"), body));
        }
      }
      dead = life.mortal.dead();
      try (Harness next = new Harness(streams, SETTINGS, WebhookOutlet.ofThisMachine())) {
        afterwards(next, streams, claim, acked, tail);
      }
    }
    return dead;
  }

  private static void afterwards(
      Harness next, Streams streams, Optional<Got> claim, Optional<Got> acked, Offset tail) {
    assertThat(next.putPull("s", LEASE).status()).isIn(200, 201);
    if (acked.filter(got -> got.status() == 200).isPresent()) {
      assertThat(next.acked("s", "events/a")).as("was promised").isEqualTo(tail.text());
    }
    long held =
        claim.filter(got -> got.status() == 200).map(c -> c.body().number("generation")).orElse(0L);
    Offset end = Harness.appendOrCreate(streams, "events/a", "[3]");
    next.subscriptions().appended(World.path("events/a"), end);
    // The holder may keep the wake for a lease; then another worker gets it.
    eventually(
        "claimed and done",
        () -> {
          Got got = next.act("s", "claim", "", "{\"worker\":\"two\"}");
          return got.status() == 200 && finish(next, got.body(), held, end);
        });
    claim
        .filter(c -> c.status() == 200)
        .ifPresent(
            c ->
                assertThat(
                        next.act(
                                "s",
                                "ack",
                                c.body().text("token"),
                                Json.object()
                                    .with("wake_id", c.body().text("wake_id"))
                                    .with("generation", held)
                                    .write())
                            .code())
                    .isEqualTo("FENCED"));
  }

  /** False: it took longer than the lease. */
  private static boolean finish(Harness next, JsonFields granted, long held, Offset end) {
    assertThat(granted.number("generation")).as("one holder each").isGreaterThan(held);
    String body = ack(granted.text("wake_id"), granted.number("generation"), "events/a", end, true);
    Got done = next.act("s", "ack", granted.text("token"), body);
    if (done.status() == 200) {
      assertThat(done.text()).isEqualTo("{\"ok\":true,\"next_wake\":false}");
    }
    return done.status() == 200;
  }
}
