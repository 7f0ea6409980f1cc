package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.testservices.MariaDbDatabase;
import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.SharedServices;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Beyond the contract: applications' pools, sessions, tables, locks and servers. */
@Tag("service")
@ExtendWith(SharedServices.class)
final class MariaDbStoreTest {
  private MariaDbDatabase database;

  @BeforeEach
  void freshDatabase(MariaDbService mariadb) {
    database = mariadb.freshDatabase();
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

  private HikariDataSource pool(int size, boolean automatic, String isolation, String onConnect) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.jdbcUrl());
    config.setMaximumPoolSize(size);
    config.setAutoCommit(automatic);
    config.setTransactionIsolation(isolation);
    config.setConnectionInitSql(onConnect);
    return new HikariDataSource(config);
  }

  @Nested
  class APool {
    @Test
    void withoutAutomaticCommitsStillCommits() throws SQLException {
      try (HikariDataSource pool = pool(2, false, "TRANSACTION_REPEATABLE_READ", "SELECT 1")) {
        MariaDbStore store = MariaDbStore.open(pool);
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
    void ofAnyIsolationLetsOneClaimantWin() {
      for (String isolation : List.of("SERIALIZABLE", "REPEATABLE_READ", "READ_COMMITTED")) {
        try (HikariDataSource pool = pool(8, true, "TRANSACTION_" + isolation, "SELECT 1")) {
          MariaDbStore store = MariaDbStore.open(pool);
          for (int round = 0; round < 10; round++) {
            Key key = Claims.freshKey();
            List<ClaimResult> claims =
                Together.race(8, () -> store.idempotency().claim(Claims.of(key)));
            assertThat(claims).filteredOn(c -> c instanceof ClaimResult.Granted).hasSize(1);
          }
        }
      }
    }

    @Test
    void thatReadsWhatOthersHaveNotCommittedIsRefused() {
      try (HikariDataSource pool = pool(1, true, "TRANSACTION_READ_UNCOMMITTED", "SELECT 1")) {
        assertThatThrownBy(() -> MariaDbStore.open(pool))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("READ COMMITTED");
      }
    }

    @Test
    void thatCanNotSendEveryKeyIsRefused() {
      try (HikariDataSource pool =
          pool(1, true, "TRANSACTION_READ_COMMITTED", "SET NAMES utf8mb3")) {
        assertThatThrownBy(() -> MariaDbStore.open(pool))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("utf8mb4");
      }
    }

    @Test
    void ofAnySqlModeAndTimeZoneKeepsTheSameRecords() {
      List<String> sessions =
          List.of(
              "SET sql_mode = ''",
              "SET sql_mode = 'ANSI,NO_BACKSLASH_ESCAPES,TRADITIONAL'",
              "SET sql_mode = 'ORACLE,EMPTY_STRING_IS_NULL,ONLY_FULL_GROUP_BY'",
              "SET sql_mode = 'MSSQL,PAD_CHAR_TO_FULL_LENGTH', time_zone = '+13:00'",
              "SET time_zone = '-11:30'");
      Key key = Key.of("payments", "it's \\ \"a\" 🎉 ");
      MariaDbStore.open(database.dataSource()).idempotency().claim(Claims.of(key));
      for (String session : sessions) {
        try (HikariDataSource pool = pool(1, true, "TRANSACTION_REPEATABLE_READ", session)) {
          MariaDbStore store = MariaDbStore.open(pool);
          ClaimResult.InFlight found =
              (ClaimResult.InFlight) store.idempotency().claim(Claims.of(key));
          assertThat(found.left())
              .as(session)
              .isBetween(Claims.LEASE.minusSeconds(60), Claims.LEASE);
          checkAWholeLife(store);
        }
      }
    }

    private void checkAWholeLife(MariaDbStore store) {
      Key key = Claims.freshKey();
      Token first = Token.draw();
      store.idempotency().claim(Claims.of(key, first));
      assertThat(store.idempotency().renew(key, first, Claims.LEASE)).isTrue();
      assertThat(store.idempotency().release(key, first)).isTrue();
      Token second = Token.draw();
      assertThat(store.idempotency().claim(Claims.of(key, second)))
          .isEqualTo(new ClaimResult.Granted(second, 2, false));
      ExecutionEnd nothing = ExecutionEnd.completed(Codec.utf8().payload(""));
      assertThat(store.idempotency().complete(key, second, nothing, Claims.RETENTION)).isTrue();
      assertThat(store.catalog().list(key.text(), "", 10).entries())
          .singleElement()
          .satisfies(
              e -> {
                assertThat(e.existing().state()).isEqualTo(RecordState.COMPLETED);
                assertThat(e.existing().payload()).isEqualTo(nothing.payload());
                assertThat(e.existing().original().requestId()).isEmpty();
              });
      assertThat(store.catalog().forceRelease(key)).isTrue();
      assertThat(store.catalog().delete(key)).isTrue();
      assertThat(store.catalog().usage().activeKeys()).isOne();
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
                  MariaDbStore.open(database.dataSource())
                      .idempotency()
                      .claim(Claims.of(Claims.freshKey())));
      assertThat(claims).hasSize(12).allMatch(c -> c instanceof ClaimResult.Granted);
      assertThat(number("SELECT count(*) FROM semel_schema")).isEqualTo(2);
    }

    @Test
    void areFinishedWhereAnotherProcessDiedOverThem() throws SQLException {
      MariaDbStore.open(database.dataSource());
      execute("DROP TABLE semel_statistics");
      execute("DELETE FROM semel_schema");
      MariaDbStore store = MariaDbStore.open(database.dataSource());
      assertThat(store.statistics().read()).isEmpty();
    }

    @Test
    void ofANewerProgramAreRefused() throws SQLException {
      MariaDbStore.open(database.dataSource());
      execute("DELETE FROM semel_schema");
      execute("INSERT INTO semel_schema (version) VALUES (99)");
      for (SchemaSetup setup : SchemaSetup.values()) {
        assertThatThrownBy(() -> MariaDbStore.open(database.dataSource(), setup))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("version 99")
            .hasMessageContaining("update the program");
      }
    }

    @Test
    void areNotCreatedByThoseWhoMayOnlyLook() throws SQLException {
      assertThatThrownBy(() -> MariaDbStore.open(database.dataSource(), SchemaSetup.CHECK))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("no semel tables");
      assertThat(
              number(
                  "SELECT count(*) FROM information_schema.tables"
                      + " WHERE table_schema = DATABASE()"))
          .isZero();
    }

    @Test
    void createdByHandFromTheDdlAreAccepted() throws SQLException {
      for (String statement : MariaDbStore.ddl().strip().split(";\n?", -1)) {
        if (!statement.isEmpty()) {
          execute(statement);
        }
      }
      MariaDbStore store = MariaDbStore.open(database.dataSource(), SchemaSetup.CHECK);
      assertThat(store.idempotency().claim(Claims.of(Claims.freshKey())))
          .isInstanceOf(ClaimResult.Granted.class);
    }

    @Test
    void thatMayNotBeCreatedAreAskedForWithAdvice() throws SQLException {
      execute("CREATE OR REPLACE USER reader@'%' IDENTIFIED BY 'r'");
      execute("GRANT SELECT ON " + database.name() + ".* TO reader@'%'");
      HikariConfig config = new HikariConfig();
      config.setJdbcUrl(database.jdbcUrl().replaceAll("\\?.*", "?user=reader&password=r"));
      try (HikariDataSource pool = new HikariDataSource(config)) {
        assertThatThrownBy(() -> MariaDbStore.open(pool))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("ddl()");
      }
    }
  }

  @Nested
  class ARecordThatAnotherTransactionHolds {
    private final Key key = Claims.freshKey();
    private final Token token = Token.draw();

    private Connection hold() throws SQLException {
      Connection other = database.dataSource().getConnection();
      other.setAutoCommit(false);
      other.createStatement().executeUpdate("UPDATE semel_idempotency SET attempt = attempt + 1");
      return other;
    }

    @Test
    void isAskedForAgainAfterAWaitInVain() throws Exception {
      try (HikariDataSource pool =
          pool(2, true, "TRANSACTION_REPEATABLE_READ", "SET innodb_lock_wait_timeout = 0")) {
        MariaDbStore store = MariaDbStore.open(pool);
        store.idempotency().claim(Claims.of(key, token));
        try (Connection other = hold()) {
          Together.Beside<Boolean> completion =
              Together.beside(
                  () -> store.idempotency().complete(key, token, Claims.done(), Claims.RETENTION));
          completion.awaitWaiting(); // between two tries
          other.rollback();
          assertThat(completion.result()).isTrue();
        }
      }
    }

    @Test
    void isGivenUpWithAdvice() throws SQLException {
      try (HikariDataSource pool =
          pool(1, true, "TRANSACTION_REPEATABLE_READ", "SET innodb_lock_wait_timeout = 0")) {
        MariaDbStore store = MariaDbStore.open(pool);
        store.idempotency().claim(Claims.of(key, token));
        try (Connection other = hold()) {
          assertThatThrownBy(
                  () -> store.idempotency().complete(key, token, Claims.done(), Claims.RETENTION))
              .isInstanceOf(StoreException.class)
              .hasMessageContaining("innodb_trx");
          other.rollback();
        }
      }
    }
  }

  @Test
  void isDescribedWithoutItsPassword() {
    assertThat(MariaDbStore.open(database.dataSource()).describe())
        .isEqualTo("mariadb://127.0.0.1:%d/%s".formatted(database.port(), database.name()));
  }

  @Test
  void errorsThatAreNoDuplicatesAreNotForgiven() throws SQLException {
    MariaDbStore store = MariaDbStore.open(database.dataSource());
    execute(
        "CREATE TRIGGER poison BEFORE INSERT ON semel_idempotency FOR EACH ROW"
            + " BEGIN IF NEW.`key` LIKE '%poison%' THEN"
            + " SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'poisoned'; END IF; END");
    assertThatThrownBy(() -> store.idempotency().claim(Claims.of(Key.of("payments", "poison"))))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("poisoned");
    assertThat(store.idempotency().claim(Claims.of(Claims.freshKey())))
        .isInstanceOf(ClaimResult.Granted.class);
  }

  @Test
  void endedRecordsArePurgedInParts() throws SQLException {
    MariaDbStore store = MariaDbStore.open(database.dataSource());
    execute(
        """
        INSERT INTO semel_idempotency
        SELECT concat('default/old:', seq), 'C', random_bytes(16), 1, '', '', utc_timestamp(6),
          utc_timestamp(6), utc_timestamp(6) - interval 1 second, utc_timestamp(6), 1, '', ''
        FROM seq_1_to_2500""");
    store.idempotency().claim(Claims.of(Claims.freshKey()));
    assertThat(store.catalog().purge(2200)).isEqualTo(2200);
    assertThat(store.catalog().usage().activeKeys()).isOne();
    assertThat(store.catalog().purge(2200)).isEqualTo(300);
    assertThat(store.catalog().purge(2200)).isZero();
    assertThat(store.catalog().usage().activeKeys()).isOne();
  }

  @Test
  void purgeAndClaimsSideBySideLoseNothing() {
    try (HikariDataSource pool = ServerUnderTest.pool(database.jdbcUrl(), 8)) {
      MariaDbStore store = MariaDbStore.open(pool);
      Duration brief = Duration.ofMillis(1);
      List<Boolean> kept =
          Together.race(
              8,
              () -> {
                boolean all = true;
                for (int i = 0; i < 40; i++) {
                  Key key = Claims.freshKey();
                  Token token = Token.draw();
                  store.idempotency().claim(Claims.of(key, token));
                  all &=
                      store
                          .idempotency()
                          .complete(
                              key, token, Claims.done(), i % 2 == 0 ? brief : Claims.RETENTION);
                  store.catalog().purge(10);
                  all &= i % 2 == 0 || store.idempotency().find(key).isPresent();
                }
                return all;
              });
      assertThat(kept).containsOnly(true);
      // The last short-lived record may have a part of its millisecond left.
      await().until(() -> store.catalog().usage().activeKeys() == 8 * 20);
    }
  }

  @Test
  void serverThatIsAwayIsAnEnvironmentsFailureAndForgetsNothing() {
    try (MariaDbService own = MariaDbService.start()) {
      MariaDbStore store = MariaDbStore.open(own.freshDatabase().dataSource());
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
