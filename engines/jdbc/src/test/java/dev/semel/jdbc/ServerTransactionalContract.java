package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.Outcome;
import dev.semel.jdbc.Together.Beside;
import dev.semel.jdbc.internal.transaction.TransactionalRun;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * What same-transaction mode also promises on a server: concurrent duplicates never wait, and
 * transactions that the database wants repeated are repeated.
 */
abstract class ServerTransactionalContract extends TransactionalContract {
  /** As few as a careful operator allows, so that a leaked connection shows. */
  static final int POOL = 4;

  abstract HikariDataSource pool();

  /** Statements that fail like a transaction that should be repeated. */
  abstract List<String> conflicts();

  /**
   * Work that has made its writes, and waits with an open transaction until the test continues it.
   */
  final class Slow {
    final Key key = Claims.freshKey();
    final CountDownLatch running = new CountDownLatch(1);
    final CountDownLatch release = new CountDownLatch(1);
    final Beside<Outcome<String>> outcome;

    Slow() throws InterruptedException {
      outcome =
          Together.beside(
              () ->
                  db().transactional()
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
          db().transactional().execute(request(first.key), TransactionalContract::effect);
      assertThat(duplicate).isInstanceOf(Outcome.InFlight.class);
      first.release.countDown();
      assertThat(first.outcome.result()).isEqualTo(new Outcome.Executed<>("done", 1, true));
      assertThat(db().effects(first.key)).isEqualTo(1);
    }

    @Test
    void duplicateThatMayWaitGetsItsResponse() throws Exception {
      Slow first = new Slow();
      Beside<Outcome<String>> duplicate =
          Together.beside(
              () ->
                  db().transactional()
                      .execute(
                          request(first.key)
                              .withPolicy(
                                  ExecutionPolicy.defaults().withWaitUpTo(Together.PATIENCE)),
                          TransactionalContract::effect));
      duplicate.awaitWaiting();
      first.release.countDown();
      assertThat(duplicate.result()).isInstanceOf(Outcome.Replayed.class);
      assertThat(db().effects(first.key)).isEqualTo(1);
    }

    @Test
    void twoHundredDuplicatesDoNotDrainThePool() throws Exception {
      Slow first = new Slow();
      List<Outcome<String>> duplicates =
          Together.race(
              200,
              () ->
                  db().transactional().execute(request(first.key), TransactionalContract::effect));
      assertThat(duplicates).hasSize(200).allMatch(o -> o instanceof Outcome.InFlight);
      assertThat(pool().getHikariPoolMXBean().getActiveConnections()).isEqualTo(1);
      Key unrelated = Claims.freshKey();
      assertThat(db().transactional().execute(request(unrelated), TransactionalContract::effect))
          .isInstanceOf(Outcome.Executed.class);
      first.release.countDown();
      assertThat(first.outcome.result().value()).contains("done");
    }

    @Test
    void claimUnderALeaseComesFirstAndTheWorkIsRolledBack() throws Exception {
      Key key = Claims.freshKey();
      AtomicInteger runs = new AtomicInteger();
      Outcome<String> outcome =
          db().transactional()
              .execute(
                  request(key),
                  (connection, execution) -> {
                    runs.incrementAndGet();
                    assertThat(db().store().claim(Claims.of(key)))
                        .isInstanceOf(ClaimResult.Granted.class);
                    return effect(connection, execution);
                  });
      assertThat(outcome).isInstanceOf(Outcome.InFlight.class);
      assertThat(runs).hasValue(1);
      assertThat(db().effects(key)).isZero();
      assertThat(db().events(key))
          .extracting(e -> e.getClass().getSimpleName())
          .containsExactly("Claimed", "Fenced");
    }

    @Test
    void executionUnderALeaseThatEndsInBetweenIsReplayed() throws Exception {
      Key key = Claims.freshKey();
      Outcome<String> outcome =
          db().transactional()
              .execute(
                  request(key),
                  (connection, execution) -> {
                    Token token = Token.draw();
                    db().store().claim(Claims.of(key, token));
                    db().store().complete(key, token, Claims.done(), Claims.RETENTION);
                    return effect(connection, execution);
                  });
      assertThat(outcome).isInstanceOf(Outcome.Replayed.class);
      assertThat(db().effects(key)).isZero();
    }

    @Test
    void executionUnderALeaseThatGivesUpInBetweenLetsTheWorkRunAgain() throws Exception {
      Key key = Claims.freshKey();
      AtomicInteger runs = new AtomicInteger();
      Outcome<String> outcome =
          db().transactional()
              .execute(
                  request(key),
                  (connection, execution) -> {
                    if (runs.incrementAndGet() == 1) {
                      Token token = Token.draw();
                      db().store().claim(Claims.of(key, token));
                      db().store().release(key, token);
                    }
                    return effect(connection, execution);
                  });
      assertThat(outcome).isEqualTo(new Outcome.Executed<>("done", 2, true));
      assertThat(runs).hasValue(2);
      assertThat(db().effects(key)).isEqualTo(1);
    }
  }

  @Nested
  class WhatTheDatabaseWantsRepeated {
    private void raise(Connection connection, String conflict) throws SQLException {
      connection.createStatement().execute(conflict);
    }

    private void isRepeated(String conflict) throws SQLException {
      Key key = Claims.freshKey();
      AtomicInteger runs = new AtomicInteger();
      Outcome<String> outcome =
          db().transactional()
              .execute(
                  request(key),
                  (connection, execution) -> {
                    effect(connection, execution);
                    if (runs.incrementAndGet() < 3) {
                      raise(connection, conflict);
                    }
                    return "done";
                  });
      assertThat(outcome).isEqualTo(new Outcome.Executed<>("done", 1, true));
      assertThat(runs).hasValue(3);
      assertThat(db().effects(key)).isEqualTo(1);
      assertThat(db().events(key))
          .extracting(e -> e.getClass().getSimpleName())
          .containsExactly("Claimed", "Completed");
    }

    @Test
    void isRepeatedWhateverItIs() throws SQLException {
      for (String conflict : conflicts()) {
        isRepeated(conflict);
      }
    }

    @Test
    void isRepeatedWhenTheWorkWrapsIt() throws SQLException {
      Key key = Claims.freshKey();
      AtomicInteger runs = new AtomicInteger();
      db().transactional()
          .execute(
              request(key),
              (connection, execution) -> {
                try {
                  if (runs.incrementAndGet() == 1) {
                    raise(connection, conflicts().get(0));
                  }
                } catch (SQLException e) {
                  throw new IllegalStateException("as a mapper would", e);
                }
                return effect(connection, execution);
              });
      assertThat(runs).hasValue(2);
      assertThat(db().effects(key)).isEqualTo(1);
    }

    @Test
    void isGivenUpAfterALimitWithTheLastFailure() throws SQLException {
      Key key = Claims.freshKey();
      AtomicInteger runs = new AtomicInteger();
      assertThatThrownBy(
              () ->
                  db().transactional()
                      .execute(
                          request(key),
                          (connection, execution) -> {
                            runs.incrementAndGet();
                            effect(connection, execution);
                            raise(connection, conflicts().get(0));
                            return "never";
                          }))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("again");
      assertThat(runs).hasValue(TransactionalRun.MAX_TRIES);
      assertThat(db().effects(key)).isZero();
      assertThat(db().store().find(key)).isEmpty();
    }
  }

  @Test
  void manyKeysRunSideBySide() {
    List<Outcome<String>> outcomes =
        Together.race(
            64,
            () ->
                db().transactional()
                    .execute(request(Claims.freshKey()), TransactionalContract::effect));
    assertThat(outcomes).allMatch(o -> o instanceof Outcome.Executed);
  }
}
