package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.tck.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How far back a trend reaches; this needs a clock that the test advances. */
class SqliteTrendTest {
  private static final StatisticsStore.Scope SCOPE =
      new StatisticsStore.Scope(Tenant.DEFAULT, new Operation("payments"));
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @TempDir Path folder;

  @Test
  void olderMinutesAreLeftOut() {
    ManualClock clock = new ManualClock();
    try (SqliteStore store = SqliteStore.open(folder.resolve("semel.db"), clock)) {
      StatisticsStore statistics = store.statistics();
      statistics.add(Map.of(SCOPE, new DecisionCounts(Map.of(DecisionCounter.REQUESTS, 1L))));
      clock.advance(Duration.ofMinutes(15));
      assertThat(statistics.trend(MINUTE, Duration.ofMinutes(15))).hasSize(1);
      clock.advance(MINUTE);
      assertThat(statistics.trend(MINUTE, Duration.ofMinutes(15))).isEmpty();
      assertThat(statistics.trend(MINUTE)).hasSize(1);
    }
  }

  @Test
  void roomIsTheFilesOwnAndWhatIsFreeOnItsDisk() {
    try (SqliteStore store = SqliteStore.open(folder.resolve("semel.db"), new ManualClock())) {
      long free = folder.toFile().getUsableSpace();
      assertThat(store.room().orElseThrow().used()).isPositive();
      assertThat(store.room().orElseThrow().limit()).isGreaterThan(free / 2);
    }
  }
}
