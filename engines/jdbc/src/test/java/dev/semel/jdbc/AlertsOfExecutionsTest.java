package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.alert.Alert;
import dev.semel.alert.AlertRule;
import dev.semel.alert.AlertSettings;
import dev.semel.alert.AlertSources;
import dev.semel.alert.internal.AlertList;
import dev.semel.alert.internal.AlertSampler;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.tck.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Executions through a store in a file, minute by minute on a clock that the test advances, until
 * an alert fires and ends: all counts come from real executions.
 */
class AlertsOfExecutionsTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Key FIRST = Key.of("webhooks", "first");

  private final ManualClock clock = new ManualClock();

  /** Without the skew rule: processes use the machine's clock, which is far from the store's. */
  private final AlertList alerts = new AlertList(AlertSettings.defaults().with("clock-skew=off"));

  private SqliteStore store;
  private AlertSampler sampler;
  private int drawn;

  @BeforeEach
  void open(@TempDir Path folder) {
    store = SqliteStore.open(folder.resolve("semel.db"), clock);
    sampler = new AlertSampler(AlertSources.of(store), clock);
  }

  @AfterEach
  void close() {
    store.close();
  }

  /** Runs a process for one minute; it flushes its counts when it ends. */
  private List<Alert> minute(Consumer<Idempotency> work) {
    try (Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
      work.accept(idempotency);
    }
    clock.advance(MINUTE);
    return alerts.observe(sampler.take());
  }

  /** Runs minutes with sixty requests each, of which some are duplicates. */
  private List<Alert> minutes(int count, int duplicates) {
    List<Alert> told = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      told.addAll(
          minute(
              idempotency -> {
                for (int request = 0; request < 60; request++) {
                  Key key = request < duplicates ? FIRST : Key.of("webhooks", "id-" + ++drawn);
                  idempotency.execute(key, Fingerprint.NONE, Codec.utf8(), e -> "done");
                }
              }));
    }
    return told;
  }

  private static void changed(List<Alert> told, AlertRule rule, Alert.State state) {
    assertThat(told).hasSize(1);
    assertThat(told.getFirst().rule()).isEqualTo(rule);
    assertThat(told.getFirst().state()).isEqualTo(state);
    assertThat(told.getFirst().subject()).isEqualTo("webhooks");
  }

  @Test
  void moreDuplicatesThanUsual() {
    assertThat(minutes(12, 3)).as("that much is usual").isEmpty();
    List<Alert> told = minutes(1, 45);
    changed(told, AlertRule.HIT_RATE, Alert.State.FIRING);
    assertThat(told.getFirst().text())
        .startsWith("75 % of the requests of webhooks are duplicates")
        .endsWith("the limit is 20 %");
    assertThat(minutes(5, 3)).as("calm, but not for long enough").isEmpty();
    changed(minutes(1, 3), AlertRule.HIT_RATE, Alert.State.RESOLVED);
  }

  @Test
  void fewerDuplicatesThanUsual() {
    assertThat(minutes(12, 45)).as("that much is usual").isEmpty();
    changed(minutes(1, 3), AlertRule.HIT_RATE, Alert.State.FIRING);
    assertThat(minutes(5, 45)).as("calm, but not for long enough").isEmpty();
    changed(minutes(1, 45), AlertRule.HIT_RATE, Alert.State.RESOLVED);
  }

  @Test
  void workThatEndsAfterItsRecord() {
    List<Alert> told =
        minute(
            idempotency ->
                idempotency.execute(
                    ExecutionRequest.of(FIRST, Codec.utf8())
                        .withPolicy(ExecutionPolicy.defaults().withRetention(Duration.ofHours(1))),
                    execution -> {
                      clock.advance(Duration.ofHours(2));
                      return "late";
                    }));
    changed(told, AlertRule.OUTLIVED, Alert.State.FIRING);
    assertThat(minutes(15, 0)).isEmpty();
    changed(minutes(2, 0), AlertRule.OUTLIVED, Alert.State.RESOLVED);
  }

  @Test
  void shortHashesThatMeet() {
    List<Alert> told =
        minute(
            idempotency -> {
              for (String content : List.of("one", "other")) {
                idempotency.execute(
                    ExecutionRequest.of(FIRST, Codec.utf8())
                        .withFingerprint(Fingerprint.of(content))
                        .withOnCollision(Key.of("webhooks", "first#" + content)),
                    e -> content);
              }
            });
    changed(told, AlertRule.COLLIDED, Alert.State.FIRING);
    assertThat(minutes(15, 0)).isEmpty();
    changed(minutes(2, 0), AlertRule.COLLIDED, Alert.State.RESOLVED);
  }
}
