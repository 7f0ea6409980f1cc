package dev.semel.idempotency.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.DuplicateAge;
import dev.semel.idempotency.spi.StatisticsStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class StatisticsCollectorTest {
  private final Map<StatisticsStore.Scope, DecisionCounts> kept = new ConcurrentHashMap<>();
  private final AtomicBoolean down = new AtomicBoolean();
  private final StatisticsStore store =
      new StatisticsStore() {
        @Override
        public void add(Batch batch) {
          if (down.get()) {
            throw new StoreException("down");
          }
          batch.deltas().forEach((scope, delta) -> kept.merge(scope, delta, DecisionCounts::plus));
        }

        @Override
        public Map<Scope, DecisionCounts> read() {
          return kept;
        }

        @Override
        public List<Slice> trend(Duration step, Duration back) {
          return List.of();
        }

        @Override
        public void reset() {
          kept.clear();
        }
      };

  @Test
  void whatCouldNotBeHandedOverIsKeptForTheNextTime() {
    StatisticsCollector statistics = new StatisticsCollector(store);
    down.set(true);
    statistics.count(Key.of("a", "1"), DecisionCounter.REQUESTS);
    statistics.arrived(Key.of("a", "1"), Duration.ofSeconds(7));
    assertThatThrownBy(statistics::flush).isInstanceOf(StoreException.class);
    down.set(false);
    statistics.flush();
    statistics.flush();
    assertThat(kept.values()).allMatch(counts -> counts.get(DuplicateAge.SECONDS_10) == 1);
    assertThat(total(DecisionCounter.REQUESTS)).isEqualTo(1);
  }

  @Test
  void tooManyOperationsAreCountedTogether() {
    int some = 10;
    StatisticsCollector statistics = new StatisticsCollector(store);
    for (int i = 0; i < StatisticsCollector.MAX_SCOPES + some; i++) {
      statistics.count(Key.of("operation-" + i, "1"), DecisionCounter.REQUESTS);
    }
    statistics.flush();
    assertThat(kept).hasSize(StatisticsCollector.MAX_SCOPES + 1);
    assertThat(
            kept.getOrDefault(StatisticsCollector.OTHER, DecisionCounts.ZERO)
                .get(DecisionCounter.REQUESTS))
        .isEqualTo(some);
  }

  private long total(DecisionCounter counter) {
    return kept.values().stream().mapToLong(counts -> counts.get(counter)).sum();
  }
}
