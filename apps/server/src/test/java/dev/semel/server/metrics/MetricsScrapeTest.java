package dev.semel.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.Tenant;
import dev.semel.alert.Alert;
import dev.semel.alert.AlertRule;
import dev.semel.alert.AlertSources;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.StatisticsStore.Scope;
import dev.semel.idempotency.spi.Store;
import dev.semel.job.MemoryJobs;
import dev.semel.loop.Platform;
import dev.semel.tck.ManualClock;
import dev.semel.webhook.WebhookCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A store's metrics in Prometheus's format. */
class MetricsScrapeTest {
  private final MemoryStore store = new MemoryStore(new ManualClock());
  private final List<Alert> alerts = new ArrayList<>();
  private final List<WebhookCounts> webhooks = new ArrayList<>();

  /** Runs threads at once, with a test's clock. */
  private static final class Stepped implements Platform {
    final AtomicLong nanos = new AtomicLong();
    final List<Runnable> waiting = new ArrayList<>();
    boolean atOnce = true;

    @Override
    public long nanos() {
      return nanos.get();
    }

    @Override
    public void beside(String name, Runnable task) {
      if (atOnce) {
        task.run();
      } else {
        waiting.add(task);
      }
    }
  }

  private MetricsRoute metrics(Platform platform, AlertSources sources) {
    return MetricsRoute.of(platform, sources, () -> alerts, () -> webhooks);
  }

  private static String text(MetricsRoute metrics) {
    CompletableFuture<String> future = metrics.text().toCompletableFuture();
    assertThat(future).isDone();
    return future.join();
  }

  private Scraped scraped(Store of) {
    AlertSources sources =
        AlertSources.of(of).withJobs(new MemoryJobs(new ManualClock()).operations());
    return Scraped.parse(text(metrics(new Stepped(), sources)));
  }

  private void count(String operation, Map<DecisionCounter, Long> counts) {
    store
        .statistics()
        .add(
            Map.of(
                new Scope(Tenant.DEFAULT, new Operation(operation)), new DecisionCounts(counts)));
  }

  @Test
  void everyNameOfTheDedupMetricsIsThere() {
    count("payments", Map.of(DecisionCounter.REQUESTS, 1L));
    Scraped scraped = scraped(store);
    assertThat(scraped.type("semel_processed_total")).isEqualTo("counter");
    assertThat(scraped.type("semel_duplicates_total")).isEqualTo("counter");
    assertThat(scraped.type("semel_errors_total")).isEqualTo("counter");
    assertThat(scraped.type("semel_active_keys")).isEqualTo("gauge");
    assertThat(scraped.type("semel_storage_usage_bytes")).isEqualTo("gauge");
    assertThat(scraped.type("semel_hit_rate_percent")).isEqualTo("gauge");
    for (String name : scraped.names()) {
      if (scraped.type(name).equals("histogram")) {
        assertThat(scraped.has(name + "_count")).as("%s has samples", name).isTrue();
      }
    }
  }

  @Test
  void workIsMeasuredByWhoRunsIt() {
    WorkMetrics work = new WorkMetrics();
    try (Idempotency idempotency = new Idempotency(work.timing(store), work)) {
      for (String id : List.of("1", "1", "2")) {
        idempotency.execute(Key.of("payments", id), Fingerprint.NONE, Codec.utf8(), e -> "done");
      }
    }
    work.keyMade(new Operation("payments"), Duration.ofMillis(3));
    for (int i = 0; i < OperationMetrics.MAX_OPERATIONS + 50; i++) {
      work.keyMade(new Operation("op" + i), Duration.ofSeconds(7));
    }
    PrometheusText out = new PrometheusText();
    work.write(out);
    Scraped scraped = Scraped.parse(out.text());
    String payments = "{operation=payments}";
    assertThat(scraped.type("semel_execution_seconds")).isEqualTo("histogram");
    assertThat(scraped.value("semel_execution_seconds_count", payments)).isEqualTo(2);
    assertThat(scraped.value("semel_dedup_check_seconds_count", payments)).isEqualTo(3);
    assertThat(scraped.value("semel_ttl_seconds_count", payments)).isEqualTo(2);
    assertThat(scraped.value("semel_ttl_seconds_sum", payments)).isEqualTo(2 * 86_400);
    String made = "semel_key_generation_seconds_bucket";
    assertThat(scraped.value(made, "{le=0.001, operation=payments}")).isZero();
    assertThat(scraped.value(made, "{le=0.005, operation=payments}")).isEqualTo(1);
    assertThat(scraped.value(made, "{le=+Inf, operation=payments}")).isEqualTo(1);
    assertThat(scraped.value("semel_key_generation_seconds_sum", payments)).isEqualTo(0.003);
    assertThat(scraped.value(made, "{le=5, operation=other}")).isZero();
    assertThat(scraped.value(made, "{le=+Inf, operation=other}")).isEqualTo(51);
  }

  @Test
  void countsAreThoseOfWhatHappened() {
    try (Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
      for (int i = 0; i < 3; i++) {
        idempotency.execute(Key.of("payments", "1"), Fingerprint.NONE, Codec.utf8(), e -> "done");
      }
      idempotency.execute(Key.of("payments", "2"), Fingerprint.NONE, Codec.utf8(), e -> "done");
    }
    Scraped scraped = scraped(store);
    String payments = "{operation=payments}";
    assertThat(scraped.value("semel_requests_total", "{operation=payments, outcome=granted}"))
        .isEqualTo(2);
    assertThat(scraped.value("semel_duplicates_total", "{operation=payments, outcome=replayed}"))
        .isEqualTo(2);
    assertThat(scraped.value("semel_processed_total", "{operation=payments, outcome=executed}"))
        .isEqualTo(2);
    assertThat(scraped.value("semel_hits_total", payments)).isEqualTo(2);
    assertThat(scraped.value("semel_misses_total", payments)).isEqualTo(2);
    assertThat(scraped.value("semel_hit_rate_percent")).isEqualTo(50);
    assertThat(scraped.value("semel_active_keys")).isEqualTo(2);
    assertThat(scraped.value("semel_duplicate_age_seconds_count", payments)).isEqualTo(2);
    assertThat(scraped.value("semel_duplicate_age_seconds_bucket", "{le=1, operation=payments}"))
        .isEqualTo(2);
    assertThat(scraped.value("semel_store_up")).isEqualTo(1);
  }

  @Test
  void tenantsAreAddedUpAndErrorsOfTheStoreStandApart() {
    Map<DecisionCounter, Long> counts =
        Map.of(DecisionCounter.ERRORS, 5L, DecisionCounter.STORE_ERRORS, 2L);
    count("payments", counts);
    store
        .statistics()
        .add(
            Map.of(
                new Scope(new Tenant("acme"), new Operation("payments")),
                new DecisionCounts(counts)));
    Scraped scraped = scraped(store);
    assertThat(scraped.value("semel_errors_total", "{operation=payments, outcome=store}"))
        .isEqualTo(4);
    assertThat(scraped.value("semel_errors_total", "{operation=payments, outcome=work}"))
        .isEqualTo(6);
  }

  @Test
  void ofManyOperationsTheSmallOnesAreOne() {
    for (int i = 0; i < OperationMetrics.MAX_OPERATIONS + 50; i++) {
      count("op" + i, Map.of(DecisionCounter.REQUESTS, 1000L - i, DecisionCounter.EXECUTED, 1L));
    }
    Scraped scraped = scraped(store);
    assertThat(scraped.value("semel_processed_total", "{operation=other, outcome=executed}"))
        .isEqualTo(50);
    assertThat(scraped.value("semel_processed_total", "{operation=op0, outcome=executed}"))
        .isEqualTo(1);
  }

  @Test
  void everyRuleIsSeenToBeWatched() {
    Instant at = Instant.EPOCH;
    for (String operation : List.of("payments", "emails")) {
      alerts.add(new Alert(AlertRule.FENCED, operation, Alert.State.FIRING, at, at, 1, 0, "x"));
    }
    alerts.add(new Alert(AlertRule.MEMORY, "", Alert.State.PENDING, at, at, 90, 80, "x"));
    webhooks.add(new WebhookCounts(3, 2, 1, 0, 4, 5));
    Scraped scraped = scraped(store);
    for (AlertRule rule : AlertRule.values()) {
      String severity = rule.severity().name().toLowerCase(Locale.ROOT);
      assertThat(
              scraped.value(
                  "semel_alerts_firing",
                  "{alert=%s, severity=%s}".formatted(rule.word(), severity)))
          .isEqualTo(rule == AlertRule.FENCED ? 2 : 0);
    }
    assertThat(scraped.value("semel_webhook_deliveries_total", "{outcome=overflowed}"))
        .isEqualTo(4);
    assertThat(scraped.value("semel_webhook_waiting")).isEqualTo(5);
  }

  @Test
  void aStoreThatIsAwayIsToldAndNothingIsMadeUp() {
    Scraped scraped = scraped(new Away(store));
    assertThat(scraped.value("semel_store_up")).isZero();
    assertThat(scraped.has("semel_active_keys")).isFalse();
    assertThat(scraped.has("semel_alerts_firing")).isTrue();
  }

  @Test
  void howeverManyScrapeTheStoreIsReadOnceASecond() {
    Stepped platform = new Stepped();
    AtomicInteger reads = new AtomicInteger();
    MetricsRoute metrics =
        MetricsRoute.of(
            platform,
            AlertSources.of(store),
            () -> {
              reads.incrementAndGet();
              return List.of();
            },
            List::of);
    for (int i = 0; i < 10; i++) {
      text(metrics);
    }
    assertThat(reads.get()).isEqualTo(1);
    platform.nanos.addAndGet(MetricsRoute.CACHED.toNanos());
    text(metrics);
    assertThat(reads.get()).isEqualTo(2);
  }

  @Test
  void whoAsksWhileItIsReadGetsTheSame() {
    Stepped platform = new Stepped();
    platform.atOnce = false;
    MetricsRoute metrics = metrics(platform, AlertSources.of(store));
    CompletableFuture<String> first = metrics.text().toCompletableFuture();
    platform.nanos.addAndGet(10 * MetricsRoute.CACHED.toNanos());
    assertThat(metrics.text().toCompletableFuture()).isSameAs(first);
    assertThat(platform.waiting).hasSize(1);
    platform.waiting.getFirst().run();
    assertThat(first).isDone();
  }

  @Test
  void aFailureIsNotKept() {
    Stepped platform = new Stepped();
    AtomicInteger asked = new AtomicInteger();
    MetricsRoute metrics =
        MetricsRoute.of(
            platform,
            AlertSources.of(store),
            () -> {
              if (asked.getAndIncrement() == 0) {
                throw new StoreException("away");
              }
              return List.of();
            },
            List::of);
    assertThat(metrics.text().toCompletableFuture()).isCompletedExceptionally();
    assertThat(text(metrics)).isNotEmpty();
  }

  @Test
  void labelsAndHelpAreEscaped() {
    PrometheusText out = new PrometheusText();
    out.gauge("a", "one\nline \\ two").sample(1.5, "x", "say \"\\\n\"");
    assertThat(out.text())
        .isEqualTo(
            "# HELP a one\\nline \\\\ two\n# TYPE a gauge\na{x=\"say \\\"\\\\\\n\\\"\"} 1.5\n");
    Scraped.parse(out.text());
  }

  @Test
  void aDeadLetterShowsWithTheNextScrapeAndAllElseIsReadSeldom() {
    Stepped platform = new Stepped();
    StandingInbox inbox = new StandingInbox();
    MetricsRoute metrics =
        metrics(platform, AlertSources.of(store).withMessages(new StandingOutbox(), inbox));
    assertThat(Scraped.parse(text(metrics)).value("semel_inbox_dead_letters")).isEqualTo(6);
    inbox.more(1);
    platform.nanos.addAndGet(MetricsRoute.CACHED.toNanos());
    assertThat(Scraped.parse(text(metrics)).value("semel_inbox_dead_letters")).isEqualTo(7);
    assertThat(inbox.reads()).isEqualTo(1);
    platform.nanos.addAndGet(StoreMetrics.DEAR.toNanos());
    assertThat(Scraped.parse(text(metrics)).value("semel_inbox_ids")).isEqualTo(20);
    assertThat(inbox.reads()).isEqualTo(2);
  }
}
