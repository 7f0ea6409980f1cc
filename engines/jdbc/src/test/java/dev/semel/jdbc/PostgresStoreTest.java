package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.testservices.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Beyond the contract: applications' pools, tables, statements and servers. */
@Tag("service")
@ExtendWith(SharedServices.class)
final class PostgresStoreTest {
  private TestDatabase database;

  @BeforeEach
  void freshDatabase(PostgresService postgres) {
    database = postgres.freshDatabase();
  }

  private RawSql raw() {
    return new RawSql(database.dataSource()::getConnection);
  }

  private void execute(String sql) throws SQLException {
    raw().execute(sql);
  }

  private long number(String sql) throws SQLException {
    return raw().number(sql);
  }

  private void becomes(String sql, long wanted) {
    Together.until(
        () -> {
          try {
            return number(sql) == wanted;
          } catch (SQLException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Nested
  class APool {
    private HikariDataSource pool(int size, boolean automatic, String isolation) {
      HikariConfig config = new HikariConfig();
      config.setJdbcUrl(database.jdbcUrl());
      config.setMaximumPoolSize(size);
      config.setAutoCommit(automatic);
      config.setTransactionIsolation(isolation);
      return new HikariDataSource(config);
    }

    @Test
    void withoutAutomaticCommitsStillCommits() throws SQLException {
      try (HikariDataSource pool = pool(2, false, "TRANSACTION_READ_COMMITTED")) {
        PostgresStore store = PostgresStore.open(pool);
        Key key = Claims.freshKey();
        Token token = Token.draw();
        store.idempotency().claim(Claims.of(key, token));
        store.idempotency().complete(key, token, Claims.done(), Claims.RETENTION);
        assertThat(number("SELECT count(*) FROM semel_idempotency WHERE state = 'C'")).isOne();
        try (Connection connection = pool.getConnection()) {
          assertThat(connection.getAutoCommit()).isFalse();
        }
      }
    }

    @Test
    void getsNoAbortedTransactionBack() throws SQLException {
      try (HikariDataSource pool = pool(1, false, "TRANSACTION_READ_COMMITTED")) {
        PostgresStore store = PostgresStore.open(pool);
        execute(
            "CREATE FUNCTION poison() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN RAISE EXCEPTION 'poisoned'; END $$");
        execute(
            "CREATE TRIGGER poison BEFORE INSERT ON semel_idempotency FOR EACH ROW"
                + " WHEN (NEW.key LIKE '%poison%') EXECUTE FUNCTION poison()");
        assertThatThrownBy(() -> store.idempotency().claim(Claims.of(Key.of("payments", "poison"))))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("poisoned");
        try (Connection connection = pool.getConnection();
            Statement statement = connection.createStatement()) {
          assertThat(statement.execute("SELECT 1")).isTrue();
        }
        assertThat(store.idempotency().claim(Claims.of(Claims.freshKey())))
            .isInstanceOf(ClaimResult.Granted.class);
      }
    }

    @Test
    void ofSerializableTransactionsIsAskedAgainInsteadOfFailing() {
      try (HikariDataSource pool = pool(8, true, "TRANSACTION_SERIALIZABLE")) {
        PostgresStore store = PostgresStore.open(pool);
        for (int round = 0; round < 20; round++) {
          Key key = Claims.freshKey();
          List<ClaimResult> claims =
              Together.race(8, () -> store.idempotency().claim(Claims.of(key)));
          assertThat(claims).filteredOn(c -> c instanceof ClaimResult.Granted).hasSize(1);
        }
      }
    }

    @Test
    void seesNoRolledBackTransactionWhenClaimantsRace() throws SQLException {
      String rollbacks =
          "SELECT xact_rollback FROM pg_stat_database WHERE datname = current_database()";
      long before = number(rollbacks);
      try (HikariDataSource pool = pool(8, true, "TRANSACTION_READ_COMMITTED")) {
        PostgresStore store = PostgresStore.open(pool);
        for (int round = 0; round < 20; round++) {
          Key key = Claims.freshKey();
          Together.race(8, () -> store.idempotency().claim(Claims.of(key)));
        }
      }
      // A session reports its counts when it ends.
      becomes(
          "SELECT count(*) FROM pg_stat_activity"
              + " WHERE datname = current_database() AND pid <> pg_backend_pid()",
          0);
      assertThat(number(rollbacks)).isEqualTo(before);
    }
  }

  @Nested
  class ItsTables {
    @Test
    void areCreatedOnceByManyWhoStartTogether() throws SQLException {
      List<ClaimResult> claims =
          Together.race(
              12,
              () ->
                  PostgresStore.open(database.dataSource())
                      .idempotency()
                      .claim(Claims.of(Claims.freshKey())));
      assertThat(claims).hasSize(12).allMatch(c -> c instanceof ClaimResult.Granted);
      assertThat(number("SELECT count(*) FROM semel_schema")).isEqualTo(2);
    }

    @Test
    void ofANewerProgramAreRefused() throws SQLException {
      PostgresStore.open(database.dataSource());
      execute("DELETE FROM semel_schema");
      execute("INSERT INTO semel_schema (version) VALUES (99)");
      for (SchemaSetup setup : SchemaSetup.values()) {
        assertThatThrownBy(() -> PostgresStore.open(database.dataSource(), setup))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("version 99")
            .hasMessageContaining("update the program");
      }
    }

    @Test
    void areNotCreatedByThoseWhoMayOnlyLook() throws SQLException {
      assertThatThrownBy(() -> PostgresStore.open(database.dataSource(), SchemaSetup.CHECK))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("no semel tables");
      assertThat(number("SELECT count(*) FROM pg_class WHERE relname LIKE 'semel%'")).isZero();
    }

    @Test
    void createdByHandFromTheDdlAreAccepted() throws SQLException {
      execute(PostgresStore.ddl());
      PostgresStore store = PostgresStore.open(database.dataSource(), SchemaSetup.CHECK);
      assertThat(store.idempotency().claim(Claims.of(Claims.freshKey())))
          .isInstanceOf(ClaimResult.Granted.class);
    }

    @Test
    void needADatabaseThatCanHoldEveryKey() throws SQLException {
      execute("CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'");
      TestDatabase latin = new TestDatabase(database.port(), "latin");
      assertThatThrownBy(() -> PostgresStore.open(latin.dataSource()))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("UTF8");
    }
  }

  @Test
  void isDescribedWithoutItsUser() {
    assertThat(PostgresStore.open(database.dataSource()).describe())
        .isEqualTo("postgresql://127.0.0.1:%d/%s".formatted(database.port(), database.name()));
  }

  @Test
  void endedRecordsArePurgedInParts() throws SQLException {
    PostgresStore store = PostgresStore.open(database.dataSource());
    execute(
        """
        INSERT INTO semel_idempotency
        SELECT 'default/old:' || i, 'C', gen_random_uuid(), 1, '', '', now(), now(),
          now() - interval '1 second', now(), interval '1 day', '', ''
        FROM generate_series(1, 2500) i""");
    store.idempotency().claim(Claims.of(Claims.freshKey()));
    assertThat(store.catalog().purge(2200)).isEqualTo(2200);
    assertThat(store.catalog().purge(2200)).isEqualTo(300);
    assertThat(store.catalog().purge(2200)).isZero();
    assertThat(store.catalog().usage().activeKeys()).isOne();
  }

  @Test
  void completionStaysOnThePageOfItsClaim() throws SQLException {
    try (HikariDataSource pool = ServerUnderTest.pool(database.jdbcUrl(), 1)) {
      PostgresStore store = PostgresStore.open(pool);
      for (int i = 0; i < 200; i++) {
        Key key = Claims.freshKey();
        Token token = Token.draw();
        store.idempotency().claim(Claims.of(key, token));
        store.idempotency().complete(key, token, Claims.done(), Claims.RETENTION);
      }
    }
    String updates =
        "SELECT sum(n_tup_upd) FROM pg_stat_user_tables WHERE relname = 'semel_idempotency'";
    becomes(updates, 200);
    assertThat(number(updates.replace("n_tup_upd", "n_tup_hot_upd"))).isGreaterThan(190);
  }

  @Test
  void serverThatIsAwayIsAnEnvironmentsFailureAndForgetsNothing() throws Exception {
    try (PostgresService own = PostgresService.start()) {
      PostgresStore store = PostgresStore.open(own.database().dataSource());
      Key key = Claims.freshKey();
      Token token = Token.draw();
      store.idempotency().claim(Claims.of(key, token));
      own.kill();
      assertThatThrownBy(
              () -> store.idempotency().complete(key, token, Claims.done(), Claims.RETENTION))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("the completion failed");
      own.restart();
      assertThat(store.idempotency().claim(Claims.of(key)))
          .isInstanceOf(ClaimResult.InFlight.class);
      assertThat(store.idempotency().complete(key, token, Claims.done(), Claims.RETENTION))
          .isTrue();
    }
  }
}
