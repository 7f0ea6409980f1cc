package dev.semel.server.subscription;

import static dev.semel.server.subscription.Harness.ack;
import static dev.semel.server.subscription.Harness.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.StoreException;
import dev.semel.server.subscription.Harness.Got;
import dev.semel.stream.MemoryStreams;
import dev.semel.stream.Offset;
import dev.semel.stream.spi.Streams;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An engine that fails for a while, and two servers on one engine. */
@Tag("service")
@Timeout(600)
final class RecoveryTest {
  private static final long LEASE = 3000;

  /** Makes writes fail while it is set, whether or not they took effect. */
  private static final class Weather implements GuardedStreams.Guard {
    volatile boolean storm;
    volatile boolean withEffect;

    @Override
    public <T> CompletionStage<T> call(boolean write, Supplier<CompletionStage<T>> call) {
      if (!storm || !write) {
        return call.get();
      }
      if (withEffect) {
        call.get().thenAccept(lost -> {});
      }
      return CompletableFuture.failedFuture(new StoreException("the engine is away"));
    }
  }

  private final Streams streams = new MemoryStreams(InstantSource.system());
  private final Weather weather = new Weather();
  private final Harness harness = new Harness(new GuardedStreams(streams, weather));

  @BeforeEach
  void wakeStream() {
    Harness.appendOrCreate(streams, "wake", "[]");
  }

  @AfterEach
  void close() {
    weather.storm = false;
    harness.close();
  }

  private static Got claim(Harness at, String worker) {
    return at.act("s", "claim", "", "{\"worker\":\"%s\"}".formatted(worker));
  }

  private void append(Harness at) {
    Offset tail = Harness.appendOrCreate(streams, "events/a", "[1]");
    at.subscriptions().appended(World.path("events/a"), tail);
  }

  @Test
  void whileTheEngineIsAwayCallersAreToldToComeBack() {
    weather.storm = true;
    Got put = harness.putPull("s", LEASE);
    assertThat(put.status()).isEqualTo(503);
    assertThat(put.code()).isEqualTo("UNAVAILABLE");
    assertThat(put.response().headers().firstValue("retry-after")).contains("1");
    assertThat(harness.get("s").status()).isEqualTo(503);
    weather.storm = false;
    eventually("back", () -> harness.putPull("s", LEASE).status() == 201);
    append(harness);
    eventually("claimed", () -> claim(harness, "one").status() == 200);
  }

  @Test
  void aClaimWhoseAnswerWasLostStandsUntilItsLeaseIsOver() {
    harness.putPull("s", LEASE);
    append(harness);
    eventually("announced", () -> harness.read("wake").contains("\"generation\":1,"));
    weather.withEffect = true;
    weather.storm = true;
    assertThat(claim(harness, "one").status()).isEqualTo(503);
    weather.storm = false;
    eventually("back", () -> harness.get("s").status() == 200);
    Got busy = claim(harness, "two");
    assertThat(busy.code()).isEqualTo("ALREADY_CLAIMED");
    assertThat(busy.body().findObject("error").orElseThrow().text("current_holder"))
        .isEqualTo("one");
    Got[] next = new Got[1];
    eventually(
        "over",
        () -> {
          next[0] = claim(harness, "two");
          return next[0].status() == 200;
        });
    assertThat(next[0].body().number("generation")).isEqualTo(2);
  }

  @Test
  void aWakeThatCouldNotBeWrittenIsIssuedLater() {
    harness.putPull("s", LEASE);
    weather.storm = true;
    append(harness);
    eventually("felt", () -> harness.get("s").status() == 503);
    assertThat(harness.read("wake")).isEqualTo("[]");
    weather.storm = false;
    eventually("announced", () -> harness.read("wake").contains("\"subscription_id\":\"s\""));
  }

  @Test
  void twoServersOnOneEngineNeverGrantOneGenerationTwice() throws Exception {
    try (Harness other = new Harness(streams);
        ExecutorService pool = Executors.newFixedThreadPool(4)) {
      harness.putPull("s", LEASE);
      eventually("seen", () -> other.putPull("s", LEASE).status() == 200);
      Set<Long> granted = new HashSet<>();
      for (int round = 0; round < 15; round++) {
        append(harness);
        append(other);
        List<Callable<Got>> racers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          Harness at = i % 2 == 0 ? harness : other;
          racers.add(() -> claim(at, Thread.currentThread().getName()));
        }
        for (Future<Got> each : pool.invokeAll(racers)) {
          Got got = each.get();
          if (got.status() == 200) {
            long generation = got.body().number("generation");
            assertThat(granted.add(generation)).as("generation " + generation).isTrue();
            finish(got);
          }
        }
      }
      assertThat(granted).isNotEmpty();
      eventually(
          "both go on", () -> harness.get("s").status() == 200 && other.get("s").status() == 200);
    }
  }

  private void finish(Got claim) {
    Offset tail = Harness.heads(streams).getOrDefault("events/a", Offset.ZERO);
    harness.act(
        "s",
        "ack",
        claim.body().text("token"),
        ack(
            claim.body().text("wake_id"),
            claim.body().number("generation"),
            "events/a",
            tail,
            true));
  }
}
