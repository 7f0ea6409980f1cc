package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Key;
import dev.semel.idempotency.Outcome;
import dev.semel.jdbc.internal.transaction.BorrowedConnection;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.testservices.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract of same-transaction mode in transactions that the application begins and ends. */
@Tag("service")
@ExtendWith(SharedServices.class)
final class PostgresOuterTransactionalTest extends ServerTransactionalContract {
  private static HikariDataSource pool;
  private static PostgresStore store;
  private static TransactionalFixture.Reports reports;
  private static TransactionalFixture db;

  @BeforeAll
  static void open(PostgresService postgres) throws SQLException {
    TestDatabase database = postgres.freshDatabase();
    pool = ServerUnderTest.pool(database.jdbcUrl(), POOL);
    store = PostgresStore.open(pool);
    reports = new TransactionalFixture.Reports(store);
    db =
        new TransactionalFixture(
            store.idempotency(),
            reports.on(store.transactions(() -> new Own(pool.getConnection()))),
            database.dataSource().getConnection(),
            d -> ServerUnderTest.elapse(pool, d),
            reports);
    db.execute("CREATE TABLE effect (id bigserial PRIMARY KEY, what text NOT NULL)");
    db.execute("CREATE TABLE single (name text PRIMARY KEY)");
  }

  @AfterAll
  static void close() throws SQLException {
    db.close();
    pool.close();
  }

  /** As a framework does it: one connection per transaction, returned at its end. */
  private static final class Own implements OuterTransactions.Outer {
    private final Connection connection;

    Own(Connection connection) throws SQLException {
      this.connection = connection;
      connection.setAutoCommit(false);
    }

    @Override
    public Connection connection() {
      return connection;
    }

    @Override
    public void commit() throws SQLException {
      try (connection) {
        connection.commit();
      }
    }

    @Override
    public void rollBack() {
      try (connection) {
        connection.rollback();
      } catch (SQLException e) {
        BorrowedConnection.giveUp(connection);
      }
    }

    @Override
    public void leave() {
      rollBack();
    }
  }

  @Override
  String driver() {
    return "org.postgresql.jdbc.PgConnection";
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
    return Stream.of("40001", "40P01")
        .map(
            code ->
                "DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '%s'; END $$".formatted(code))
        .toList();
  }

  @Test
  void aJoinedTransactionIsLeftAloneByADuplicateAndTakesTheRecordAlong() throws SQLException {
    Key key = Claims.freshKey();
    try (Connection running = pool.getConnection()) {
      running.setAutoCommit(false);
      TransactionalIdempotency joined = reports.on(store.transactions(() -> new Joined(running)));
      assertThat(joined.execute(request(key), TransactionalContract::effect))
          .isInstanceOf(Outcome.Executed.class);
      assertThat(joined.execute(request(key), TransactionalContract::effect))
          .isInstanceOf(Outcome.Replayed.class);
      assertThat(store.idempotency().find(key)).isEmpty();
      running.commit();
      running.setAutoCommit(true);
    }
    assertThat(db.effects(key)).isEqualTo(1);
    assertThat(store.idempotency().find(key)).isPresent();
  }

  @Test
  void anExecutionWithinAnotherSharesItsTransaction() throws SQLException {
    Key key = Claims.freshKey();
    Key within = Claims.freshKey();
    try (Connection running = pool.getConnection()) {
      running.setAutoCommit(false);
      TransactionalIdempotency joined = reports.on(store.transactions(() -> new Joined(running)));
      Outcome<String> outcome =
          joined.execute(
              request(key),
              (connection, execution) -> {
                joined.execute(request(within), TransactionalContract::effect);
                return effect(connection, execution);
              });
      assertThat(outcome).isInstanceOf(Outcome.Executed.class);
      running.commit();
      running.setAutoCommit(true);
    }
    assertThat(List.of(db.effects(key), db.effects(within))).containsOnly(1);
    assertThat(store.idempotency().find(key)).isPresent();
    assertThat(store.idempotency().find(within)).isPresent();
  }

  /** Another execution in the next transaction must not hide the end of the one before. */
  @Test
  void aTransactionThatWasEndedIsFoundOutAfterAnExecutionWithinTheNext() throws SQLException {
    Key key = Claims.freshKey();
    try (Connection running = pool.getConnection()) {
      running.setAutoCommit(false);
      TransactionalIdempotency joined = reports.on(store.transactions(() -> new Joined(running)));
      assertThatThrownBy(
              () ->
                  joined.execute(
                      request(key),
                      (connection, execution) -> {
                        driversOwn(connection).commit();
                        joined.execute(request(Claims.freshKey()), TransactionalContract::effect);
                        return "done";
                      }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("ended its transaction");
      running.rollback();
      running.setAutoCommit(true);
    }
    assertThat(store.idempotency().find(key)).isEmpty();
  }

  private record Joined(Connection connection) implements OuterTransactions.Outer {
    @Override
    public void commit() {}

    @Override
    public void rollBack() {
      throw new AssertionError("what was joined is not to be rolled back");
    }

    @Override
    public void leave() {}
  }
}
