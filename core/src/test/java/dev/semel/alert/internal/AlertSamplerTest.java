package dev.semel.alert.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.Token;
import dev.semel.alert.AlertSources;
import dev.semel.alert.CountedInbox;
import dev.semel.alert.StoreThatLeaves;
import dev.semel.event.Event;
import dev.semel.event.spi.EventSink;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.StatisticsStore.Scope;
import dev.semel.job.MemoryJobs;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What a store says, as it is measured. */
class AlertSamplerTest {
  private static final Scope SCOPE = new Scope(Tenant.DEFAULT, new Operation("payments"));

  private final AtomicReference<Instant> time =
      new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
  private final MemoryStore store = new MemoryStore(time::get, 10);
  private final AtomicBoolean away = new AtomicBoolean();
  private final AlertSampler sampler =
      new AlertSampler(AlertSources.of(new StoreThatLeaves(store, away::get)), time::get);

  private void pass(Duration d) {
    time.updateAndGet(t -> t.plus(d));
  }

  private AlertSample.OfStore sampled() {
    return sampler.take().store().orElseThrow();
  }

  private void claim(String id, Duration retention) {
    store.claim(
        new ClaimRequest(
            Key.of("payments", id),
            Token.draw(),
            Fingerprint.NONE,
            retention,
            retention,
            TakeoverPolicy.IN_DOUBT,
            ""));
  }

  @Test
  void roomAndWhatHasEnded() {
    claim("1", Duration.ofMinutes(1));
    claim("2", Duration.ofHours(1));
    assertThat(sampled().ended()).isZero();
    assertThat(sampled().room().orElseThrow().share()).isEqualTo(0.2);
    pass(Duration.ofMinutes(2));
    assertThat(sampled().ended()).isEqualTo(1);
  }

  @Test
  void theWholeDayIsReadOnceAndThenTheLastMinutes() {
    store.statistics().add(Map.of(SCOPE, new DecisionCounts(Map.of(DecisionCounter.REQUESTS, 1L))));
    pass(Duration.ofHours(2));
    store.statistics().add(Map.of(SCOPE, new DecisionCounts(Map.of(DecisionCounter.REQUESTS, 1L))));
    assertThat(sampled().minutes()).hasSize(2);
    assertThat(sampled().minutes()).hasSize(1);
    away.set(true);
    assertThat(sampler.take().store()).isEmpty();
    away.set(false);
    assertThat(sampled().minutes()).as("nothing of an outage is missed").hasSize(2);
  }

  @Test
  void howLongTheStoreIsAway() {
    sampled();
    pass(Duration.ofSeconds(10));
    away.set(true);
    assertThat(sampler.take().away()).isEqualTo(Duration.ofSeconds(10));
    pass(Duration.ofSeconds(10));
    assertThat(sampler.take().away()).isEqualTo(Duration.ofSeconds(20));
    away.set(false);
    assertThat(sampler.take().away()).isZero();
  }

  @Test
  void whatProcessesSayOfThemselvesIsHeededForAWhile() {
    EventSink early = new EventSink(store.events(), time::get, key -> false);
    early.on(new Event.ClockSkewed(Duration.ofSeconds(-7)));
    early.flush();
    assertThat(sampled().log().skews()).containsEntry(early.writer(), Duration.ofSeconds(-7));
    EventSink late = new EventSink(store.events(), time::get, key -> false);
    late.on(new Event.ClockSkewed(Duration.ofSeconds(9)));
    for (int i = 0; i < EventSink.MAX_NOTABLE + 3; i++) {
      late.on(new Event.Changed("ann", "x", "y"));
    }
    late.flush();
    AlertSample.OfLog heard = sampled().log();
    assertThat(heard.skews()).containsEntry(late.writer(), Duration.ofSeconds(9)).hasSize(3);
    assertThat(heard.lost()).isEqualTo(4);
    pass(LogWatch.HEEDED.plusSeconds(1));
    assertThat(sampled().log()).isEqualTo(new AlertSample.OfLog(Map.of("", Duration.ZERO), 0));
  }

  @Test
  void claimsThatAreLeftOutAreNoLoss() {
    sampled();
    EventSink sink = new EventSink(store.events(), time::get, key -> false);
    for (int i = 0; i < EventSink.MAX_ROUTINE + 50; i++) {
      sink.on(new Event.Claimed(Key.of("payments", "1"), "", 1));
    }
    sink.flush();
    assertThat(sampled().log().lost()).isZero();
  }

  @Test
  void anInboxIsReadOnlyNowAndThen() {
    CountedInbox inbox = new CountedInbox();
    AlertSampler one =
        new AlertSampler(
            new AlertSources(store, Optional.empty(), Optional.of(inbox), Optional.empty(), Map::of)
                .withJobs(new MemoryJobs(time::get).operations()),
            time::get);
    for (int i = 0; i < 2 * AlertSampler.SAMPLES_PER_INBOX; i++) {
      AlertSample taken = one.take();
      assertThat(taken.inbox()).isPresent();
      assertThat(taken.jobs()).isPresent();
      assertThat(taken.outbox()).isEmpty();
    }
    assertThat(inbox.reads()).isEqualTo(2);
  }

  @Test
  void aDeadLetterShowsWithTheNextSample() {
    CountedInbox inbox = new CountedInbox();
    AlertSampler one =
        new AlertSampler(
            new AlertSources(
                store, Optional.empty(), Optional.of(inbox), Optional.empty(), Map::of),
            time::get);
    one.take();
    inbox.dead(2);
    assertThat(one.take().inbox().orElseThrow().consumers())
        .singleElement()
        .satisfies(ledger -> assertThat(ledger.dead()).isEqualTo(2));
    inbox.dead(0);
    assertThat(one.take().inbox().orElseThrow().consumers())
        .allSatisfy(ledger -> assertThat(ledger.dead()).isZero());
    assertThat(inbox.reads()).as("all of it is still read only now and then").isEqualTo(1);
  }
}
