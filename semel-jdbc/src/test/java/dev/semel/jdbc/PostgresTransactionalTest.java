package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.Claim;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.Policy;
import dev.semel.jdbc.Together.Beside;
import dev.semel.testservices.Database;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.Services;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Concurrent duplicates never wait, and what the database wants repeated is repeated. */
@Tag("service")
@ExtendWith(Services.class)
final class PostgresTransactionalTest extends TransactionalContract {
  /** As few as a careful operator allows: whoever holds on to one is noticed. */
  private static final int POOL = 4;

  private static Database database;
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
            store,
            TransactionalIdempotency.on(store, reports.reporter()),
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
  TransactionalFixture db() {
    return db;
  }

  /** Work that has done its writes and waits, with its transaction open, to be let go. */
  private static final class Slow {
    final Key key = Claims.freshKey();
    final CountDownLatch running = new CountDownLatch(1);
    final CountDownLatch release = new CountDownLatch(1);
    final Beside<Outcome<String>> outcome;

    Slow() throws InterruptedException {
      outcome =
          Together.beside(
              () ->
                  db.transactional()
                      .execute(
                          request(key),
                          (connection, execution) -> {
                            String done = effect(connection, execution);
                            running.countDown();
                            release.await();
                            return done;
                          }));
      running.await();
    }
  }

  @Nested
  class WhileTheFirstStillRuns {
    @Test
    void duplicateIsRefusedAtOnce() throws Exception {
      Slow first = new Slow();
      Outcome<String> duplicate =
          db.transactional().execute(request(first.key), TransactionalContract::effect);
      assertThat(duplicate).isInstanceOf(Outcome.InFlight.class);
      first.release.countDown();
      assertThat(first.outcome.result()).isEqualTo(new Outcome.Executed<>("done", 1, true));
      assertThat(db.effects(first.key)).isEqualTo(1);
    }

    @Test
    void duplicateThatMayWaitGetsItsResponse() throws Exception {
      Slow first = new Slow();
      Beside<Outcome<String>> duplicate =
          Together.beside(
              () ->
                  db.transactional()
                      .execute(
                          request(first.key)
                              .withPolicy(Policy.defaults().withWaitUpTo(Together.PATIENCE)),
                          TransactionalContract::effect));
      duplicate.awaitWaiting();
      first.release.countDown();
      assertThat(duplicate.result()).isInstanceOf(Outcome.Replayed.class);
      assertThat(db.effects(first.key)).isEqualTo(1);
    }

    @Test
    void twoHundredDuplicatesDoNotDrainThePool() throws Exception {
      Slow first = new Slow();
      List<Outcome<String>> duplicates =
          Together.race(
              200,
              () -> db.transactional().execute(request(first.key), TransactionalContract::effect));
      assertThat(duplicates).hasSize(200).allMatch(o -> o instanceof Outcome.InFlight);
      assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(1);
      Key unrelated = Claims.freshKey();
      assertThat(db.transactional().execute(request(unrelated), TransactionalContract::effect))
          .isInstanceOf(Outcome.Executed.class);
      first.release.countDown();
      assertThat(first.outcome.result().value()).contains("done");
    }

    @Test
    void claimUnderALeaseComesFirstAndTheWorkIsRolledBack() throws Exception {
      Key key = Claims.freshKey();
      AtomicInteger runs = new AtomicInteger();
      Outcome<String> outcome =
          db.transactional()
              .execute(
                  request(key),
                  (connection, execution) -> {
                    runs.incrementAndGet();
                    assertThat(store.claim(Claims.of(key))).isInstanceOf(Claim.Granted.class);
                    return effect(connection, execution);
                  });
      assertThat(outcome).isInstanceOf(Outcome.InFlight.class);
      assertThat(runs).hasValue(1);
      assertThat(db.effects(key)).isZero();
      assertThat(db.events(key))
          .extracting(e -> e.getClass().getSimpleName())
          .containsExactly("Claimed", "Fenced");
    }

    @Test
    void executionUnderALeaseThatEndsInBetweenIsReplayed() throws Exception {
      Key key = Claims.freshKey();
      Outcome<String> outcome =
          db.transactional()
              .execute(
                  request(key),
                  (connection, execution) -> {
                    Token token = Token.draw();
                    store.claim(Claims.of(key, token));
                    store.complete(key, token, Claims.done(), Claims.RETENTION);
                    return effect(connection, execution);
                  });
      assertThat(outcome).isInstanceOf(Outcome.Replayed.class);
      assertThat(db.effects(key)).isZero();
    }

    @Test
    void executionUnderALeaseThatGivesUpInBetweenLetsTheWorkRunAgain() throws Exception {
      Key key = Claims.freshKey();
      AtomicInteger runs = new AtomicInteger();
      Outcome<String> outcome =
          db.transactional()
              .execute(
                  request(key),
                  (connection, execution) -> {
                    if (runs.incrementAndGet() == 1) {
                      Token token = Token.draw();
                      store.claim(Claims.of(key, token));
                      store.release(key, token);
                    }
                    return effect(connection, execution);
                  });
      assertThat(outcome).isEqualTo(new Outcome.Executed<>("done", 2, true));
      assertThat(runs).hasValue(2);
      assertThat(db.effects(key)).isEqualTo(1);
    }
  }

  @Nested
  class WhatTheDatabaseWantsRepeated {
    private void raise(Connection connection, String code) throws SQLException {
      connection
          .createStatement()
          .execute("DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '" + code + "'; END $$");
    }

    private void isRepeated(String code) throws SQLException {
      Key key = Claims.freshKey();
      AtomicInteger runs = new AtomicInteger();
      Outcome<String> outcome =
          db.transactional()
              .execute(
                  request(key),
                  (connection, execution) -> {
                    effect(connection, execution);
                    if (runs.incrementAndGet() < 3) {
                      raise(connection, code);
                    }
                    return "done";
                  });
      assertThat(outcome).isEqualTo(new Outcome.Executed<>("done", 1, true));
      assertThat(runs).hasValue(3);
      assertThat(db.effects(key)).isEqualTo(1);
      assertThat(db.events(key))
          .extracting(e -> e.getClass().getSimpleName())
          .containsExactly("Claimed", "Completed");
    }

    @Test
    void serializationFailureIsRepeated() throws SQLException {
      isRepeated("40001");
    }

    @Test
    void deadlockIsRepeated() throws SQLException {
      isRepeated("40P01");
    }

    @Test
    void isRepeatedWhenTheWorkWrapsIt() throws SQLException {
      Key key = Claims.freshKey();
      AtomicInteger runs = new AtomicInteger();
      db.transactional()
          .execute(
              request(key),
              (connection, execution) -> {
                try {
                  if (runs.incrementAndGet() == 1) {
                    raise(connection, "40001");
                  }
                } catch (SQLException e) {
                  throw new IllegalStateException("as a mapper would", e);
                }
                return effect(connection, execution);
              });
      assertThat(runs).hasValue(2);
      assertThat(db.effects(key)).isEqualTo(1);
    }

    @Test
    void isRepeatedWhenItShowsAtTheCommit() throws SQLException {
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

    @Test
    void isGivenUpAfterALimitWithTheLastFailure() throws SQLException {
      Key key = Claims.freshKey();
      AtomicInteger runs = new AtomicInteger();
      assertThatThrownBy(
              () ->
                  db.transactional()
                      .execute(
                          request(key),
                          (connection, execution) -> {
                            runs.incrementAndGet();
                            effect(connection, execution);
                            raise(connection, "40001");
                            return "never";
                          }))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("again");
      assertThat(runs).hasValue(TransactionalRun.MAX_TRIES);
      assertThat(db.effects(key)).isZero();
      assertThat(store.find(key)).isEmpty();
    }
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
      assertThat(store.find(key)).isEmpty();
      // Whichever connection it was, each is as good as new.
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
      assertThat(store.find(key)).isEmpty();
    }
  }

  @Test
  void manyKeysRunSideBySide() {
    List<Outcome<String>> outcomes =
        Together.race(
            64,
            () ->
                db.transactional()
                    .execute(request(Claims.freshKey()), TransactionalContract::effect));
    assertThat(outcomes).allMatch(o -> o instanceof Outcome.Executed);
  }
}
