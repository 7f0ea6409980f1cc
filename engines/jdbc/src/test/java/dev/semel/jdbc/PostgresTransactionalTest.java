package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.idempotency.Outcome;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.testservices.TestDatabase;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract on PostgreSQL, and errors that abort its transactions. */
@Tag("service")
@ExtendWith(SharedServices.class)
final class PostgresTransactionalTest extends ServerTransactionalContract {
  private static TestDatabase database;
  private static HikariDataSource pool;
  private static PostgresStore store;
  private static TransactionalFixture db;

  @BeforeAll
  static void open(PostgresService postgres) throws SQLException {
    database = postgres.freshDatabase();
    pool = ServerUnderTest.pool(database.jdbcUrl(), POOL);
    store = PostgresStore.open(pool);
    TransactionalFixture.Reports reports = new TransactionalFixture.Reports(store);
    db =
        new TransactionalFixture(
            store.idempotency(),
            reports.on(store.transactions()),
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
  void conflictThatShowsAtTheCommitIsRepeated() throws SQLException {
    db.execute("CREATE SEQUENCE commits");
    db.execute(
        "CREATE FUNCTION fail_twice() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " IF nextval('commits') < 3 THEN RAISE EXCEPTION 'again' USING ERRCODE = '40001';"
            + " END IF; RETURN NULL; END $$");
    db.execute("CREATE TABLE late (id integer)");
    db.execute(
        "CREATE CONSTRAINT TRIGGER fail_twice AFTER INSERT ON late"
            + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fail_twice()");
    Key key = Claims.freshKey();
    Outcome<String> outcome =
        db.transactional()
            .execute(
                request(key),
                (connection, execution) -> {
                  connection.createStatement().execute("INSERT INTO late VALUES (1)");
                  return effect(connection, execution);
                });
    assertThat(outcome).isEqualTo(new Outcome.Executed<>("done", 1, true));
    assertThat(db.effects(key)).isEqualTo(1);
  }

  @Nested
  class WorkThatCatchesAnSqlError {
    @Test
    void andGoesOnIsToldThatItsTransactionWasAborted() throws SQLException {
      db.execute("INSERT INTO single VALUES ('taken')");
      Key key = Claims.freshKey();
      assertThatThrownBy(
              () ->
                  db.transactional()
                      .execute(
                          request(key),
                          (connection, execution) -> {
                            effect(connection, execution);
                            try {
                              connection
                                  .createStatement()
                                  .execute("INSERT INTO single VALUES ('taken')");
                            } catch (SQLException e) {
                              return "it was there already";
                            }
                            return "done";
                          }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("nothing was committed")
          .hasMessageContaining("ON CONFLICT");
      assertThat(db.effects(key)).isZero();
      assertThat(store.idempotency().find(key)).isEmpty();
      // Whichever connection it was, all work.
      for (int i = 0; i < 2 * POOL; i++) {
        assertThat(
                db.transactional()
                    .execute(request(Claims.freshKey()), TransactionalContract::effect))
            .isInstanceOf(Outcome.Executed.class);
      }
    }

    @Test
    void behindASavepointOfItsOwnGoesOn() throws SQLException {
      Key key = Claims.freshKey();
      db.execute("INSERT INTO single VALUES ('also taken')");
      Outcome<String> outcome =
          db.transactional()
              .execute(
                  request(key),
                  (connection, execution) -> {
                    var mark = connection.setSavepoint();
                    try {
                      connection
                          .createStatement()
                          .execute("INSERT INTO single VALUES ('also taken')");
                    } catch (SQLException e) {
                      connection.rollback(mark);
                    }
                    return effect(connection, execution);
                  });
      assertThat(outcome).isInstanceOf(Outcome.Executed.class);
      assertThat(db.effects(key)).isEqualTo(1);
    }

    @Test
    void thatTheCommitMetIsToldThatNothingHappened() throws SQLException {
      db.execute("CREATE TABLE parent (id integer PRIMARY KEY)");
      db.execute("CREATE TABLE child (id integer REFERENCES parent DEFERRABLE INITIALLY DEFERRED)");
      Key key = Claims.freshKey();
      assertThatThrownBy(
              () ->
                  db.transactional()
                      .execute(
                          request(key),
                          (connection, execution) -> {
                            connection.createStatement().execute("INSERT INTO child VALUES (7)");
                            return effect(connection, execution);
                          }))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("nothing was committed");
      assertThat(db.effects(key)).isZero();
      assertThat(store.idempotency().find(key)).isEmpty();
    }
  }
}
