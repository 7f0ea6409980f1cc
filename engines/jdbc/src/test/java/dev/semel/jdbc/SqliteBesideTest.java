package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.SettingsStore;
import dev.semel.idempotency.spi.StatisticsStore.Scope;
import dev.semel.tck.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits of data beside the records; the SQL is the same on every engine. */
final class SqliteBesideTest {
  private static final Scope SCOPE = new Scope(Tenant.DEFAULT, new Operation("payments"));
  private static final DecisionCounts ONE =
      new DecisionCounts(Map.of(DecisionCounter.REQUESTS, 1L));

  private final ManualClock clock = new ManualClock();
  private Path file;
  private SqliteStore store;

  @BeforeEach
  void open(@TempDir Path folder) {
    file = folder.resolve("semel.db");
    store = SqliteStore.open(file, clock);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void minutesOlderThanADayAreForgottenAndTotalsAreNot() throws Exception {
    store.statistics().add(Map.of(SCOPE, ONE));
    clock.advance(Duration.ofHours(25));
    assertThat(store.statistics().trend(Duration.ofHours(1))).isEmpty();
    store.statistics().add(Map.of(SCOPE, ONE));
    assertThat(store.statistics().trend(Duration.ofHours(1)))
        .singleElement()
        .satisfies(slice -> assertThat(slice.counts()).containsEntry(SCOPE, ONE));
    assertThat(store.statistics().read()).containsEntry(SCOPE, ONE.plus(ONE));
    try (RawSqlite raw = new RawSqlite(file)) {
      assertThat(raw.number("SELECT count(*) FROM semel_minute")).isOne();
    }
  }

  @Test
  void operationsWithSettingsHaveALimit() {
    for (int i = 0; i < SettingsStore.MAX_OPERATIONS; i++) {
      assertThat(store.settings().write(new Operation("op-" + i), 0, "{}")).isTrue();
    }
    assertThatThrownBy(() -> store.settings().write(new Operation("one-more"), 0, "{}"))
        .isInstanceOf(InvalidInput.class)
        .hasMessage(SettingsStore.tooMany());
    assertThat(store.settings().write(new Operation("op-7"), 1, "{}")).isTrue();
  }

  @Test
  void cursorOfSomethingElseIsRefused() {
    assertThatThrownBy(() -> store.events().read("nonsense", 10))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("nonsense");
  }

  @Test
  void isDescribedByItsFile() {
    assertThat(store.describe()).isEqualTo("sqlite:" + file);
  }
}
