package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Key;
import dev.semel.admin.StoreAdmin;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Maintenance;
import dev.semel.idempotency.OperationSetting;
import dev.semel.idempotency.Outcome;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operators' settings apply to same-transaction mode as well. */
class TransactionalSettingsTest {
  private static final Key KEY = Key.of("payment", "order-1");

  @TempDir Path folder;
  private Path file = Path.of("");

  @BeforeEach
  void create() throws SQLException {
    file = folder.resolve("semel.db");
    SqliteStore.open(file, InstantSource.system()).close();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE effect (id integer PRIMARY KEY, what text NOT NULL)");
    }
  }

  private int effects() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement();
        ResultSet rs = statement.executeQuery("SELECT count(*) FROM effect")) {
      rs.next();
      return rs.getInt(1);
    }
  }

  /** Starts a process with these settings, and asks twice. */
  private Outcome<String> askTwice(OperationSetting setting, String value) throws SQLException {
    try (SqliteStore store = SqliteStore.open(file, InstantSource.system())) {
      new StoreAdmin(store, "test").change(KEY.operation(), Map.of(setting, value));
      try (Maintenance maintenance = Maintenance.start(store, SemelListener.NONE);
          TransactionalIdempotency idempotency = TransactionalIdempotency.on(store, maintenance)) {
        ask(idempotency);
        return ask(idempotency);
      }
    }
  }

  private static Outcome<String> ask(TransactionalIdempotency idempotency) throws SQLException {
    return idempotency.execute(
        ExecutionRequest.of(KEY, Codec.utf8()),
        (connection, execution) -> {
          TransactionalFixture.insertEffect(connection, execution.key());
          return "attempt " + execution.attempt();
        });
  }

  @Test
  void observedDuplicatesRun() throws SQLException {
    assertThat(askTwice(OperationSetting.MODE, "observe"))
        .isEqualTo(new Outcome.Executed<>("attempt 0", 0, false));
    assertThat(effects()).isEqualTo(2);
  }

  @Test
  void switchedOffNothingIsRecorded() throws SQLException {
    assertThat(askTwice(OperationSetting.MODE, "off"))
        .isEqualTo(new Outcome.Executed<>("attempt 0", 0, false));
    assertThat(effects()).isEqualTo(2);
    try (SqliteStore store = SqliteStore.open(file, InstantSource.system())) {
      assertThat(store.idempotency().find(KEY)).isEmpty();
    }
  }

  @Test
  void otherSettingsGoBeforeTheCode() throws SQLException {
    assertThat(askTwice(OperationSetting.RETENTION, "2h")).isInstanceOf(Outcome.Replayed.class);
    assertThat(effects()).isEqualTo(1);
    try (SqliteStore store = SqliteStore.open(file, InstantSource.system())) {
      assertThat(store.idempotency().find(KEY).orElseThrow().original().retentionLeft())
          .isLessThanOrEqualTo(Duration.ofHours(2));
    }
  }

  @Test
  void unguardedWorkThatThrowsIsRolledBack() throws SQLException {
    try (SqliteStore store = SqliteStore.open(file, InstantSource.system())) {
      new StoreAdmin(store, "test").change(KEY.operation(), Map.of(OperationSetting.MODE, "off"));
      try (Maintenance maintenance = Maintenance.start(store, SemelListener.NONE);
          TransactionalIdempotency idempotency = TransactionalIdempotency.on(store, maintenance)) {
        assertThatThrownBy(
                () ->
                    idempotency.execute(
                        ExecutionRequest.of(KEY, Codec.utf8()),
                        (connection, execution) -> {
                          TransactionalFixture.insertEffect(connection, execution.key());
                          throw new SQLException("declined");
                        }))
            .isInstanceOf(SQLException.class)
            .hasMessage("declined");
      }
    }
    assertThat(effects()).isZero();
  }
}
