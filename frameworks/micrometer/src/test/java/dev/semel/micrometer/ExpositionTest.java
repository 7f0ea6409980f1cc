package dev.semel.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.event.Event;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.tck.ManualClock;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The names that users write into dashboards and alerts. */
class ExpositionTest {
  @Test
  void everyMeterOfTheDedupMetricsIsThereForPrometheus() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    SemelMeters meters = new SemelMeters(registry);
    Store store = meters.timing(new MemoryStore(new ManualClock()));
    try (Idempotency idempotency = new Idempotency(store, meters);
        StatusMeters status =
            StatusMeters.start(
                registry, StatusMeters.Sources.of(store), MeterSettings.defaults())) {
      idempotency.execute(Key.of("payment", "1"), Fingerprint.NONE, Codec.utf8(), e -> "done");
      meters.keyMade(new Operation("payment"), Duration.ofMillis(1));
      status.refresh();
      assertThat(registry.scrape())
          .contains(
              "# TYPE semel_processed_total counter",
              "# TYPE semel_duplicates_total counter",
              "# TYPE semel_errors_total counter",
              "# TYPE semel_active_keys gauge",
              "# TYPE semel_storage_usage_bytes gauge",
              "# TYPE semel_hit_rate_percent gauge",
              "# TYPE semel_key_generation_seconds histogram",
              "# TYPE semel_dedup_check_seconds histogram",
              "# TYPE semel_ttl_seconds histogram",
              "# TYPE semel_hits_total counter",
              "# TYPE semel_misses_total counter",
              "semel_processed_total{operation=\"payment\",outcome=\"completed\"} 1.0",
              "semel_ttl_seconds_bucket{operation=\"payment\",le=\"86400.0\"} 1");
    }
  }

  @Test
  void whatSeldomHappensHasItsNamesToo() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    SemelMeters meters = new SemelMeters(registry);
    Key key = Key.of("payment", "1");
    meters.on(new Event.Unguarded(key, "", Event.Unguarded.Reason.OFF));
    meters.on(new Event.Unguarded(key, "", Event.Unguarded.Reason.OBSERVED));
    meters.on(new Event.Reconciled(key, "", Event.Reconciled.Verdict.RAN_TWICE));
    meters.on(new Event.Collided(key, "", Key.of("payment", "2")));
    meters.on(new Event.Outlived(key, "", 1));
    meters.on(
        new Event.StrategiesDiffer(
            key, "", "x", Event.StrategiesDiffer.Difference.ONLY_SHADOW_SEES_A_DUPLICATE));
    assertThat(registry.scrape())
        .contains(
            "semel_unguarded_total{operation=\"payment\",outcome=\"off\"} 1.0",
            "semel_unguarded_total{operation=\"payment\",outcome=\"observed\"} 1.0",
            "semel_requests_total{operation=\"payment\",outcome=\"not_asked\"} 1.0",
            "semel_reconciled_total{operation=\"payment\",outcome=\"ran_twice\"} 1.0",
            "semel_collisions_total{operation=\"payment\"} 1.0",
            "semel_outlived_total{operation=\"payment\"} 1.0",
            "semel_strategy_differences_total{operation=\"payment\",outcome=\"only_shadow_sees_a_duplicate\"} 1.0");
  }

  @Test
  void wholeRequestsAreObservedWithFewKeyValues() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    ObservationRegistry observations = ObservationRegistry.create();
    observations
        .observationConfig()
        .observationHandler(new DefaultMeterObservationHandler(registry));
    ExecutionObservations observed =
        new ExecutionObservations(observations, MeterSettings.defaults());
    Operation operation = new Operation("payment");
    Key key = Key.of("payment", "ann@example.com");
    try (Idempotency idempotency =
        new Idempotency(new MemoryStore(new ManualClock()), event -> {})) {
      for (int i = 0; i < 2; i++) {
        observed.observe(
            operation, () -> idempotency.execute(key, Fingerprint.NONE, Codec.utf8(), e -> "done"));
      }
      assertThatThrownBy(
              () ->
                  observed.observe(
                      operation,
                      () -> {
                        throw new IllegalStateException("no");
                      }))
          .isInstanceOf(IllegalStateException.class);
    }
    assertThat(count(registry, "executed")).isEqualTo(1);
    assertThat(count(registry, "replayed")).isEqualTo(1);
    assertThat(count(registry, "threw")).isEqualTo(1);
    assertThat(registry.getMeters().toString()).doesNotContain("ann@example.com");
  }

  private static long count(SimpleMeterRegistry registry, String outcome) {
    return registry
        .get("semel.request")
        .tags("operation", "payment", "outcome", outcome)
        .timer()
        .count();
  }
}
