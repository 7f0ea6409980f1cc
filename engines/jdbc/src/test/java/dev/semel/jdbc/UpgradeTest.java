package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.Tenant;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.StatisticsStore.Scope;
import dev.semel.idempotency.spi.Store;
import dev.semel.jdbc.internal.store.SqlSchema;
import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tables of an older program are upgraded and keep their contents. */
@ExtendWith(SharedServices.class)
final class UpgradeTest {
  private static final Key KEY = Key.of("payments", "old");
  private static final Scope SCOPE = new Scope(Tenant.DEFAULT, new Operation("payments"));

  /** Columns that every engine has; each engine stores times differently. */
  private static final String RECORD =
      """
      INSERT INTO semel_idempotency VALUES ('default/payments:old', 'C', %s, 3, '', '',
        %s, %s, %s, %s, %s, '', '')""";

  private static final String COUNTS =
      "INSERT INTO semel_statistics VALUES ('default', 'payments', 'requests', 7)";

  /**
   * Creates a database of version 1, and opens it in both ways.
   *
   * @param record a record in flight
   */
  private static void isUpgraded(
      SqlSchema schema, String url, String record, Function<SchemaSetup, Store> opening)
      throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      Tables.create(Tables.before(schema, 1), connection);
      statement.execute(record);
      statement.execute(COUNTS);
      assertThatThrownBy(() -> opening.apply(SchemaSetup.CHECK).close())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("semel tables of version 1")
          .hasMessageContaining("needs version " + schema.newest());
      for (SchemaSetup setup : new SchemaSetup[] {SchemaSetup.CREATE, SchemaSetup.CHECK}) {
        try (Store store = opening.apply(setup)) {
          check(store);
        }
      }
      try (ResultSet rs =
          statement.executeQuery("SELECT max(version), min(version) FROM semel_schema")) {
        assertThat(rs.next()).isTrue();
        assertThat(rs.getInt(1)).isEqualTo(schema.newest());
        assertThat(rs.getInt(2)).isEqualTo(schema.oldest());
      }
    }
  }

  private static void check(Store store) {
    assertThat(store.idempotency().find(KEY).orElseThrow().state())
        .isEqualTo(RecordState.COMPLETED);
    assertThat(store.statistics().read())
        .containsEntry(SCOPE, new DecisionCounts(Map.of(DecisionCounter.REQUESTS, 7L)));
    assertThat(store.statistics().trend(Duration.ofMinutes(1))).isEmpty();
    assertThat(store.settings().readAll()).isEmpty();
    assertThat(store.events().read("", 10).lines()).isEmpty();
    assertThat(store.events().trim(Duration.ofDays(1), 10, 10)).isZero();
  }

  @Test
  void onSqlite(@TempDir Path folder) throws SQLException {
    Path file = folder.resolve("semel.db");
    long now = System.currentTimeMillis();
    isUpgraded(
        SqlSchema.SQLITE,
        "jdbc:sqlite:" + file,
        RECORD.formatted("zeroblob(16)", now, now, now + 60_000, now, 60_000),
        setup -> SqliteStore.open(file, InstantSource.system(), setup));
  }

  @Test
  @Tag("service")
  void onPostgres(PostgresService postgres) throws SQLException {
    var database = postgres.freshDatabase();
    isUpgraded(
        SqlSchema.POSTGRESQL,
        database.jdbcUrl(),
        RECORD.formatted(
            "gen_random_uuid()",
            "now()",
            "now()",
            "now() + interval '1 minute'",
            "now()",
            "interval '1 minute'"),
        setup -> PostgresStore.open(database.dataSource(), setup));
  }

  @Test
  @Tag("service")
  void onMariaDb(MariaDbService mariadb) throws SQLException {
    var database = mariadb.freshDatabase();
    isUpgraded(
        SqlSchema.MARIADB,
        database.jdbcUrl(),
        RECORD.formatted(
            "random_bytes(16)",
            "utc_timestamp(6)",
            "utc_timestamp(6)",
            "utc_timestamp(6) + interval 1 minute",
            "utc_timestamp(6)",
            "60000000"),
        setup -> MariaDbStore.open(database.dataSource(), setup));
  }
}
