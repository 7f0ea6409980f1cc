package dev.semel.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.event.EventLine;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.StatisticsStore.Scope;
import dev.semel.loop.Platform;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The periodic measurement and its reports. */
class AlertWatchTest {
  @Test
  void anAlertReachesTheEventLogAndWhoIsToldOnce() {
    MemoryStore store = new MemoryStore(InstantSource.system());
    Scope scope = new Scope(Tenant.DEFAULT, new Operation("payments"));
    store
        .statistics()
        .add(Map.of(scope, new DecisionCounts(Map.of(DecisionCounter.RAN_TWICE, 1L))));
    List<Alert> told = new CopyOnWriteArrayList<>();
    try (AlertWatch watch =
        AlertWatch.start(
            Platform.REAL, AlertSources.of(store), AlertSettings.defaults(), told::add)) {
      await().until(() -> !store.events().latest(1).isEmpty());
      assertThat(told).hasSize(1);
      watch.refresh();
      assertThat(watch.alerts()).hasSize(1);
    }
    assertThat(told).hasSize(1);
    assertThat(told.getFirst().rule()).isEqualTo(AlertRule.RAN_TWICE);
    EventLine line = store.events().latest(10).getFirst();
    assertThat(line.kind()).isEqualTo("alert-changed");
    assertThat(line.details())
        .contains("\"alert\":\"ran-twice\"", "\"subject\":\"payments\"", "\"firing\":true");
  }
}
