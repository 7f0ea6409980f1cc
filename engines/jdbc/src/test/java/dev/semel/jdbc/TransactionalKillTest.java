package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.TransactionalHammer.Ledger;
import dev.semel.junit.proof.ProofRun;
import dev.semel.proof.fault.KillHarness;
import dev.semel.proof.fault.KillHarness.Kills;
import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes are killed at random in same-transaction mode: one effect per key, no more, no less.
 */
@ExtendWith(SharedServices.class)
class TransactionalKillTest {
  @TempDir Path folder;

  private TestReporter report;

  @BeforeEach
  void reportTo(TestReporter report) {
    this.report = report;
  }

  /** One child on SQLite. */
  static final class SqliteWorker {
    private SqliteWorker() {}

    public static void main(String[] arguments) throws SQLException {
      try (SqliteStore store = SqliteStore.open(Path.of(arguments[0]), InstantSource.system())) {
        TransactionalHammer.hammer(
            store,
            maintenance -> TransactionalIdempotency.on(store, maintenance),
            Integer.parseInt(arguments[1]));
      }
    }
  }

  /** One child on PostgreSQL. */
  static final class PostgresWorker {
    private PostgresWorker() {}

    public static void main(String[] arguments) throws SQLException {
      try (HikariDataSource pool = new HikariDataSource()) {
        pool.setJdbcUrl(arguments[0]);
        pool.setMaximumPoolSize(2);
        PostgresStore store = PostgresStore.open(pool);
        TransactionalHammer.hammer(
            store,
            maintenance -> TransactionalIdempotency.on(store, maintenance),
            Integer.parseInt(arguments[1]));
      }
    }
  }

  /** One child on MariaDB. */
  static final class MariaDbWorker {
    private MariaDbWorker() {}

    public static void main(String[] arguments) throws SQLException {
      try (HikariDataSource pool = new HikariDataSource()) {
        pool.setJdbcUrl(arguments[0]);
        pool.setMaximumPoolSize(2);
        MariaDbStore store = MariaDbStore.open(pool);
        TransactionalHammer.hammer(
            store,
            maintenance -> TransactionalIdempotency.on(store, maintenance),
            Integer.parseInt(arguments[1]));
      }
    }
  }

  @Test
  void onSqliteTheLedgerHasOneEffectPerKey() throws SQLException {
    onSqlite(Kills.FEW);
  }

  @Test
  @Tag("proof")
  void onSqliteTheLedgerHasOneEffectPerKeyAfterManyKills() throws SQLException {
    onSqlite(many());
  }

  @Test
  @Tag("service")
  void onPostgresTheLedgerHasOneEffectPerKey(PostgresService service) throws SQLException {
    onServer(PostgresWorker.class, service.freshDatabase().jdbcUrl(), Kills.FEW);
  }

  @Test
  @Tag("proof")
  void onPostgresTheLedgerHasOneEffectPerKeyAfterManyKills(PostgresService service)
      throws SQLException {
    onServer(PostgresWorker.class, service.freshDatabase().jdbcUrl(), many());
  }

  @Test
  @Tag("service")
  void onMariaDbTheLedgerHasOneEffectPerKey(MariaDbService service) throws SQLException {
    onServer(MariaDbWorker.class, service.freshDatabase().jdbcUrl(), Kills.FEW);
  }

  @Test
  @Tag("proof")
  void onMariaDbTheLedgerHasOneEffectPerKeyAfterManyKills(MariaDbService service)
      throws SQLException {
    onServer(MariaDbWorker.class, service.freshDatabase().jdbcUrl(), many());
  }

  private Kills many() {
    Kills many = Kills.many(ProofRun.volume(60, 600), ProofRun.seed());
    report.publishEntry(many.figures());
    return many;
  }

  private void onSqlite(Kills kills) throws SQLException {
    Path file = folder.resolve("semel.db");
    SqliteStore.open(file, InstantSource.system()).close();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
      kill(SqliteWorker.class, file.toString(), connection, kills);
    }
  }

  private void onServer(Class<?> worker, String url, Kills kills) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      kill(worker, url, connection, kills);
    }
  }

  private void kill(Class<?> worker, String where, Connection connection, Kills kills)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(TransactionalHammer.CREATE);
    }
    new KillHarness(
            worker,
            folder.resolve("children.log"),
            () -> effects(connection),
            where,
            Integer.toString(kills.keys()))
        .run(kills.rounds(), kills.keys() / kills.rounds(), kills.seed());
    assertThat(Ledger.read(connection)).isEqualTo(new Ledger(kills.keys(), kills.keys()));
  }

  private static long effects(Connection connection) {
    try {
      return Ledger.read(connection).effects();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
