package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.idempotency.Outcome;
import dev.semel.testservices.MariaDbDatabase;
import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.SharedServices;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract on MariaDB, its deadlocks, and a lock that outlives transactions. */
@Tag("service")
@ExtendWith(SharedServices.class)
final class MariaDbTransactionalTest extends ServerTransactionalContract {
  private static HikariDataSource pool;
  private static TransactionalFixture db;

  @BeforeAll
  static void open(MariaDbService mariadb) throws SQLException {
    MariaDbDatabase database = mariadb.freshDatabase();
    pool = ServerUnderTest.pool(database.jdbcUrl(), POOL);
    MariaDbStore store = MariaDbStore.open(pool);
    TransactionalFixture.Reports reports = new TransactionalFixture.Reports(store);
    db =
        new TransactionalFixture(
            store.idempotency(),
            reports.on(store.transactions()),
            database.dataSource().getConnection(),
            d -> ServerUnderTest.elapse(pool, d),
            reports);
    db.execute("CREATE TABLE effect (id bigint AUTO_INCREMENT PRIMARY KEY, what text NOT NULL)");
    db.execute("CREATE TABLE account (id integer PRIMARY KEY, changes integer NOT NULL)");
  }

  @AfterAll
  static void close() throws SQLException {
    db.close();
    pool.close();
  }

  @Override
  String driver() {
    return "org.mariadb.jdbc.Connection";
  }

  @Override
  TransactionalFixture db() {
    return db;
  }

  @Override
  HikariDataSource pool() {
    return pool;
  }

  @Override
  List<String> conflicts() {
    return List.of(
        "SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213, MESSAGE_TEXT = 'again'",
        "SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1020, MESSAGE_TEXT = 'again'");
  }

  private static void change(Connection connection, int account) throws SQLException {
    connection
        .createStatement()
        .executeUpdate("UPDATE account SET changes = changes + 1 WHERE id = " + account);
  }

  private static boolean someoneWaits() {
    try (Connection connection = pool.getConnection();
        ResultSet rs =
            connection
                .createStatement()
                .executeQuery("SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'")) {
      rs.next();
      return rs.getInt(2) > 0;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static Outcome<String> execute(Key key) throws SQLException {
    return db.transactional().execute(request(key), TransactionalContract::effect);
  }

  @Nested
  class ADeadlock {
    @Test
    void isRepeatedUntilBothHappened() throws SQLException {
      db.execute("REPLACE INTO account VALUES (1, 0), (2, 0)");
      CyclicBarrier bothHoldOne = new CyclicBarrier(2);
      AtomicInteger next = new AtomicInteger();
      AtomicInteger runs = new AtomicInteger();
      List<Outcome<String>> outcomes =
          Together.race(
              2,
              () -> {
                int first = 1 + next.getAndIncrement();
                return db.transactional()
                    .execute(
                        request(Claims.freshKey()),
                        (connection, execution) -> {
                          change(connection, first);
                          if (runs.incrementAndGet() <= 2) {
                            bothHoldOne.await(Together.PATIENCE.toSeconds(), TimeUnit.SECONDS);
                          }
                          change(connection, 3 - first);
                          return "done";
                        });
              });
      assertThat(outcomes).allMatch(o -> o instanceof Outcome.Executed);
      assertThat(runs).hasValue(3);
    }

    @Test
    void thatTheWorkCatchesIsFoundOut() throws SQLException {
      db.execute("REPLACE INTO account VALUES (3, 0), (4, 0)");
      Key key = Claims.freshKey();
      assertThatThrownBy(
              () ->
                  db.transactional()
                      .execute(
                          request(key),
                          (connection, execution) -> {
                            effect(connection, execution);
                            loseADeadlock(connection);
                            return effect(connection, execution);
                          }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("let a deadlock's error pass");
      assertThat(db.effects(key)).isZero();
      assertThat(db.store().find(key)).isEmpty();
    }

    /** Loses a deadlock, because it changed less. */
    private void loseADeadlock(Connection connection) throws Exception {
      try (Connection other = pool.getConnection()) {
        other.setAutoCommit(false);
        for (int i = 0; i < 100; i++) {
          TransactionalFixture.insertEffect(other, Claims.freshKey());
        }
        change(other, 3);
        change(connection, 4);
        Together.Beside<Boolean> blocked =
            Together.beside(
                () -> {
                  change(other, 4);
                  return true;
                });
        Together.until(MariaDbTransactionalTest::someoneWaits);
        try {
          change(connection, 3);
        } catch (SQLException caught) {
          assertThat(caught.getErrorCode()).isEqualTo(1213);
        }
        blocked.result();
        other.rollback();
      }
    }
  }

  @Nested
  class WorkThatDefinesATable {
    @Test
    void hasCommittedAndIsFoundOut() throws SQLException {
      Key key = Claims.freshKey();
      assertThatThrownBy(
              () ->
                  db.transactional()
                      .execute(
                          request(key),
                          (connection, execution) -> {
                            connection.createStatement().execute("CREATE TABLE made (id integer)");
                            return effect(connection, execution);
                          }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("ended its transaction");
      assertThat(db.effects(key)).isZero();
      assertThat(db.store().find(key)).isEmpty();
    }
  }

  @Nested
  class TheLock {
    @Test
    void isGivenBackWithTheConnection() throws SQLException {
      Key key = Claims.freshKey();
      for (int i = 0; i < 2 * POOL; i++) {
        assertThat(execute(key).value()).contains("done");
      }
      noneIsHeld();
      assertThatThrownBy(
              () ->
                  db.transactional()
                      .execute(
                          request(Claims.freshKey()),
                          (connection, execution) -> {
                            throw new IllegalArgumentException("no");
                          }))
          .isInstanceOf(IllegalArgumentException.class);
      noneIsHeld();
    }

    @Test
    void isGivenBackWhenTheWorkClosedItsConnection() throws SQLException {
      Key key = Claims.freshKey();
      assertThatThrownBy(
              () ->
                  db.transactional()
                      .execute(
                          request(key),
                          (connection, execution) -> {
                            driversOwn(connection).close();
                            return "done";
                          }))
          .isInstanceOf(StoreException.class);
      noneIsHeld();
    }

    @Test
    void isOfOneDatabaseAndNotOfTheServer(MariaDbService mariadb) throws Exception {
      MariaDbStore elsewhere = MariaDbStore.open(mariadb.freshDatabase().dataSource());
      TransactionalFixture.Reports reports = new TransactionalFixture.Reports(elsewhere);
      try (TransactionalIdempotency other = reports.on(elsewhere.transactions())) {
        Slow first = new Slow();
        assertThat(other.execute(request(first.key), (connection, execution) -> "done"))
            .isInstanceOf(Outcome.Executed.class);
        first.release.countDown();
        assertThat(first.outcome.result()).isInstanceOf(Outcome.Executed.class);
      }
    }

    private void noneIsHeld() throws SQLException {
      // Releases all locks of every session, and counts them.
      List<Connection> all = new ArrayList<>();
      try {
        for (int i = 0; i < POOL; i++) {
          Connection connection = pool.getConnection();
          all.add(connection);
          try (ResultSet rs =
              connection.createStatement().executeQuery("SELECT RELEASE_ALL_LOCKS()")) {
            rs.next();
            assertThat(rs.getInt(1)).isZero();
          }
        }
      } finally {
        for (Connection connection : all) {
          connection.close();
        }
      }
    }
  }
}
