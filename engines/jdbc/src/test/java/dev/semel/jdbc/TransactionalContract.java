package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Execution;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.FailurePolicy;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.GuardedExecutor;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.StoredFailure;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.Work;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.RecordState;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Everything that same-transaction mode promises on every engine. */
abstract class TransactionalContract {
  private static final ExecutionPolicy KEEP_FAILURES =
      ExecutionPolicy.defaults().withOnFailure(FailurePolicy.STORE);

  abstract TransactionalFixture db();

  static ExecutionRequest<String> request(Key key) {
    return ExecutionRequest.of(key, Codec.utf8());
  }

  /** Writes one effect and returns a result. */
  static String effect(Connection connection, Execution execution) throws SQLException {
    TransactionalFixture.insertEffect(connection, execution.key());
    return "done";
  }

  @Nested
  class EffectAndRecord {
    @Test
    void commitTogether() throws SQLException {
      Key key = Claims.freshKey();
      assertThat(db().transactional().execute(request(key), TransactionalContract::effect))
          .isEqualTo(new Outcome.Executed<>("done", 1, true));
      assertThat(db().effects(key)).isEqualTo(1);
      assertThat(db().store().find(key).orElseThrow().state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void areSeenByNobodyBefore() throws SQLException {
      Key key = Claims.freshKey();
      db().transactional()
          .execute(
              request(key),
              (connection, execution) -> {
                effect(connection, execution);
                assertThat(db().effects(key)).isZero();
                assertThat(execution.held()).isTrue();
                assertThat(execution.attempt()).isEqualTo(1);
                assertThat(execution.takenOver()).isFalse();
                return "done";
              });
      assertThat(db().effects(key)).isEqualTo(1);
    }

    @Test
    void areReplayedAndNotRepeated() throws SQLException {
      Key key = Claims.freshKey();
      ExecutionRequest<String> request = request(key).withRequestId("first");
      db().transactional().execute(request, TransactionalContract::effect);
      Outcome<String> second =
          db().transactional().execute(request(key), TransactionalContract::effect);
      assertThat(second).isInstanceOf(Outcome.Replayed.class);
      assertThat(second.value()).contains("done");
      assertThat(((Outcome.Replayed<String>) second).original().requestId()).isEqualTo("first");
      assertThat(db().effects(key)).isEqualTo(1);
    }

    @Test
    void happenOnceForManyRacers() throws SQLException {
      Key key = Claims.freshKey();
      ExecutionRequest<String> waiting =
          request(key).withPolicy(ExecutionPolicy.defaults().withWaitUpTo(Together.PATIENCE));
      List<Outcome<String>> outcomes =
          Together.race(
              16, () -> db().transactional().execute(waiting, TransactionalContract::effect));
      assertThat(outcomes).allSatisfy(o -> assertThat(o.value()).contains("done"));
      assertThat(outcomes).filteredOn(o -> o instanceof Outcome.Executed).hasSize(1);
      assertThat(db().effects(key)).isEqualTo(1);
    }

    @Test
    void areReportedOnce() throws SQLException {
      Key key = Claims.freshKey();
      db().transactional().execute(request(key), TransactionalContract::effect);
      db().transactional().execute(request(key), TransactionalContract::effect);
      assertThat(db().events(key))
          .extracting(e -> e.getClass().getSimpleName())
          .containsExactly("Claimed", "Completed", "Replayed");
    }

    @Test
    void endWithTheirRetention() throws SQLException {
      Key key = Claims.freshKey();
      Duration brief = Duration.ofMillis(300);
      ExecutionRequest<String> request =
          request(key)
              .withPolicy(
                  ExecutionPolicy.defaults().withLease(Duration.ofMillis(1)).withRetention(brief));
      db().transactional().execute(request, TransactionalContract::effect);
      db().elapse(brief);
      assertThat(db().transactional().execute(request, TransactionalContract::effect))
          .isEqualTo(new Outcome.Executed<>("done", 1, true));
      assertThat(db().effects(key)).isEqualTo(2);
    }
  }

  @Nested
  class WorkThatFails {
    @Test
    void leavesNothingBehindAndThrowsWhatItThrew() throws SQLException {
      Key key = Claims.freshKey();
      IOException failure = new IOException("no route");
      assertThatThrownBy(
              () ->
                  db().transactional()
                      .execute(
                          request(key),
                          (connection, execution) -> {
                            effect(connection, execution);
                            throw failure;
                          }))
          .isSameAs(failure);
      assertThat(db().effects(key)).isZero();
      assertThat(db().store().find(key)).isEmpty();
      assertThat(db().transactional().execute(request(key), TransactionalContract::effect))
          .isEqualTo(new Outcome.Executed<>("done", 1, true));
    }

    @Test
    void leavesNothingBehindWhenItIsAnError() throws SQLException {
      Key key = Claims.freshKey();
      assertThatThrownBy(
              () ->
                  db().transactional()
                      .execute(
                          request(key),
                          (connection, execution) -> {
                            effect(connection, execution);
                            throw new StackOverflowError("too deep");
                          }))
          .isInstanceOf(StackOverflowError.class);
      assertThat(db().effects(key)).isZero();
      db().transactional().execute(request(key), TransactionalContract::effect);
      assertThat(db().effects(key)).isEqualTo(1);
    }

    @Test
    void forGoodIsKeptWithoutItsEffect() throws Exception {
      Key key = Claims.freshKey();
      IOException failure = new IOException("card refused");
      Outcome<String> first =
          db().transactional()
              .execute(
                  request(key).withPolicy(KEEP_FAILURES),
                  (connection, execution) -> {
                    effect(connection, execution);
                    throw failure;
                  });
      assertThat(((Outcome.Failed<String>) first).cause()).containsSame(failure);
      assertThat(db().effects(key)).isZero();

      Outcome<String> second =
          db().transactional()
              .execute(request(key).withPolicy(KEEP_FAILURES), TransactionalContract::effect);
      assertThat(((Outcome.Failed<String>) second).cause()).isEmpty();
      assertThat(((Outcome.Failed<String>) second).failure()).isEqualTo(StoredFailure.of(failure));
      assertThat(db().effects(key)).isZero();
    }

    @Test
    void forGoodInSqlIsKeptToo() throws SQLException {
      Key key = Claims.freshKey();
      Outcome<String> first =
          db().transactional()
              .execute(
                  request(key).withPolicy(KEEP_FAILURES),
                  (connection, execution) -> {
                    effect(connection, execution);
                    connection.createStatement().execute("SELECT no_such_column FROM effect");
                    return "done";
                  });
      assertThat(first).isInstanceOf(Outcome.Failed.class);
      assertThat(db().effects(key)).isZero();
      assertThat(db().store().find(key).orElseThrow().state()).isEqualTo(RecordState.FAILED);
    }
  }

  @Nested
  class AResponse {
    @Test
    void overTheLimitIsGivenOnceAndNeverRepeated() throws SQLException {
      Key key = Claims.freshKey();
      ExecutionRequest<String> request =
          request(key).withPolicy(ExecutionPolicy.defaults().withMaxResponseBytes(2));
      assertThat(db().transactional().execute(request, TransactionalContract::effect))
          .isEqualTo(new Outcome.Executed<>("done", 1, true));
      Outcome<String> second = db().transactional().execute(request, TransactionalContract::effect);
      assertThat(((Outcome.Failed<String>) second).failure().kind())
          .isEqualTo(StoredFailure.RESPONSE_NOT_KEPT);
      assertThat(db().effects(key)).isEqualTo(1);
    }

    @Test
    @SuppressWarnings("NullAway") // null, although no checker keeps callers from it
    void ofNullIsRefusedAndNothingIsCommitted() throws SQLException {
      Key key = Claims.freshKey();
      assertThatThrownBy(
              () ->
                  db().transactional()
                      .execute(
                          request(key),
                          (connection, execution) -> {
                            effect(connection, execution);
                            return null;
                          }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the work returned null");
      assertThat(db().effects(key)).isZero();
      assertThat(db().store().find(key)).isEmpty();
    }

    @Test
    void ofAnotherRequestIsNotGiven() throws SQLException {
      Key key = Claims.freshKey();
      Fingerprint first = Fingerprint.of("{\"amount\":10}");
      db().transactional()
          .execute(request(key).withFingerprint(first), TransactionalContract::effect);
      assertThat(
              db().transactional()
                  .execute(
                      request(key).withFingerprint(Fingerprint.of("{\"amount\":11}")),
                      TransactionalContract::effect))
          .isInstanceOf(Outcome.Mismatch.class);
      assertThat(
              db().transactional()
                  .execute(
                      request(key).withFingerprints(List.of(Fingerprint.of("new form"), first)),
                      TransactionalContract::effect)
                  .value())
          .contains("done");
      assertThat(db().effects(key)).isEqualTo(1);
    }
  }

  @Nested
  class ARecordOfAnExecutionUnderALease {
    @Test
    void inFlightIsRespected() throws SQLException {
      Key key = Claims.freshKey();
      db().store().claim(Claims.of(key));
      Outcome<String> outcome =
          db().transactional()
              .execute(
                  request(key).withFingerprint(Fingerprint.of("{}")),
                  TransactionalContract::effect);
      assertThat(outcome).isInstanceOf(Outcome.InFlight.class);
      assertThat(((Outcome.InFlight<String>) outcome).left()).isPositive();
      assertThat(db().effects(key)).isZero();
    }

    @Test
    void releasedIsTakenAsTheNextAttempt() throws SQLException {
      Key key = Claims.freshKey();
      Token token = Token.draw();
      db().store().claim(Claims.of(key, token));
      db().store().release(key, token);
      assertThat(db().transactional().execute(request(key), TransactionalContract::effect))
          .isEqualTo(new Outcome.Executed<>("done", 2, true));
    }

    @Test
    void leftBehindIsInDoubt() throws SQLException {
      Key key = Claims.freshKey();
      leaveBehind(key);
      assertThat(db().transactional().execute(request(key), TransactionalContract::effect))
          .isInstanceOf(Outcome.InDoubt.class);
      assertThat(db().effects(key)).isZero();
    }

    @Test
    void leftBehindIsTakenOverWhereThatIsWantedAndItsHolderIsFenced() throws SQLException {
      Key key = Claims.freshKey();
      Token zombie = leaveBehind(key);
      AtomicReference<Boolean> told = new AtomicReference<>(false);
      Outcome<String> outcome =
          db().transactional()
              .execute(
                  request(key)
                      .withPolicy(
                          ExecutionPolicy.defaults().withTakeover(TakeoverPolicy.RUN_AGAIN)),
                  (connection, execution) -> {
                    told.set(execution.takenOver());
                    return effect(connection, execution);
                  });
      assertThat(outcome).isEqualTo(new Outcome.Executed<>("done", 2, true));
      assertThat(told.get()).isTrue();
      assertThat(db().store().complete(key, zombie, Claims.done(), Claims.RETENTION)).isFalse();
    }

    private Token leaveBehind(Key key) {
      Token token = Token.draw();
      Duration lease = Duration.ofMillis(100);
      db().store()
          .claim(
              new ClaimRequest(
                  key,
                  token,
                  Fingerprint.NONE,
                  lease,
                  Claims.RETENTION,
                  TakeoverPolicy.IN_DOUBT,
                  ""));
      db().elapse(lease);
      return token;
    }

    @Test
    void isReplayedFromATransactionsRecord() throws SQLException {
      Key key = Claims.freshKey();
      db().transactional().execute(request(key), TransactionalContract::effect);
      assertThat(db().store().claim(Claims.of(key))).isInstanceOf(ClaimResult.Replay.class);
    }
  }

  @Nested
  class WorkThatIsGivenNoConnection {
    private final Key key = Claims.freshKey();

    @Test
    void asksItsExecutionForIt() throws SQLException {
      GuardedExecutor once = db().transactional().asOnce();
      Work<String, SQLException> work =
          execution -> effect(TransactionalIdempotency.connection(execution), execution);
      assertThat(once.execute(request(key), work))
          .isEqualTo(new Outcome.Executed<>("done", 1, true));
      assertThat(once.execute(request(key), work)).isInstanceOf(Outcome.Replayed.class);
      assertThat(db().effects(key)).isEqualTo(1);
    }

    @Test
    void isRolledBackWhenItThrows() throws SQLException {
      IOException failure = new IOException("answered 500");
      assertThatThrownBy(
              () ->
                  db().transactional()
                      .asOnce()
                      .execute(
                          request(key),
                          execution -> {
                            effect(TransactionalIdempotency.connection(execution), execution);
                            throw failure;
                          }))
          .isSameAs(failure);
      assertThat(db().effects(key)).isZero();
      assertThat(db().store().find(key)).isEmpty();
    }

    @Test
    void mayNotUseItLater() throws SQLException {
      AtomicReference<Execution> kept = new AtomicReference<>();
      db().transactional()
          .asOnce()
          .execute(
              request(key),
              execution -> {
                kept.set(execution);
                return "done";
              });
      assertThatThrownBy(() -> TransactionalIdempotency.connection(kept.get()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the transaction is over");
    }
  }

  /** Ways to end a transaction on the connection that work was given. */
  enum End {
    COMMIT,
    ROLLBACK,
    AUTOMATIC,
    CLOSE,
    ABORT,
    COMMIT_OF_THE_UNWRAPPED,
    COMMIT_OF_A_STATEMENTS,
    COMMIT_OF_A_PREPARED_STATEMENTS,
    COMMIT_OF_A_RESULTS,
    COMMIT_OF_THE_METADATAS,
    COMMIT_IN_SQL,
    COMMIT_PREPARED_IN_SQL,
    ROLLBACK_IN_SQL;

    void on(Connection connection) throws SQLException {
      switch (this) {
        case COMMIT -> connection.commit();
        case ROLLBACK -> connection.rollback();
        case AUTOMATIC -> connection.setAutoCommit(true);
        case CLOSE -> connection.close();
        case ABORT -> connection.abort(Runnable::run);
        case COMMIT_OF_THE_UNWRAPPED -> connection.unwrap(Connection.class).commit();
        case COMMIT_OF_A_STATEMENTS -> {
          try (Statement statement = connection.createStatement()) {
            statement.getConnection().commit();
          }
        }
        case COMMIT_OF_A_PREPARED_STATEMENTS -> {
          try (PreparedStatement statement = connection.prepareStatement("SELECT 1")) {
            statement.getConnection().commit();
          }
        }
        case COMMIT_OF_A_RESULTS -> {
          try (Statement statement = connection.createStatement();
              ResultSet rs = statement.executeQuery("SELECT 1")) {
            rs.getStatement().getConnection().commit();
          }
        }
        case COMMIT_OF_THE_METADATAS -> connection.getMetaData().getConnection().commit();
        case COMMIT_IN_SQL -> execute(connection, "/* all */ commit");
        case COMMIT_PREPARED_IN_SQL -> {
          try (PreparedStatement statement = connection.prepareStatement("COMMIT")) {
            statement.execute();
          }
        }
        case ROLLBACK_IN_SQL -> execute(connection, "ROLLBACK");
      }
    }

    static void execute(Connection connection, String sql) throws SQLException {
      try (Statement statement = connection.createStatement()) {
        statement.execute(sql);
      }
    }
  }

  @Nested
  class WorkThatWouldEndItsTransaction {
    private final Key key = Claims.freshKey();

    @ParameterizedTest
    @EnumSource
    void isRefusedBeforeAnythingIsCommitted(End end) throws SQLException {
      assertThatThrownBy(
              () ->
                  db().transactional()
                      .execute(
                          request(key),
                          (connection, execution) -> {
                            effect(connection, execution);
                            end.on(connection);
                            return "done";
                          }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the work may not end its transaction");
      assertThat(db().effects(key)).isZero();
      assertThat(db().store().find(key)).isEmpty();
      assertThat(db().transactional().execute(request(key), TransactionalContract::effect))
          .isEqualTo(new Outcome.Executed<>("done", 1, true));
    }

    @ParameterizedTest
    @EnumSource
    void andGoesOnCommitsWithItsRecord(End end) throws SQLException {
      db().transactional()
          .execute(
              request(key),
              (connection, execution) -> {
                effect(connection, execution);
                assertThatThrownBy(() -> end.on(connection))
                    .isInstanceOf(IllegalStateException.class);
                assertThat(db().effects(key)).isZero();
                return effect(connection, execution);
              });
      assertThat(db().effects(key)).isEqualTo(2);
      assertThat(db().store().find(key)).isPresent();
    }

    @Test
    void isNoFailureToBeKept() throws SQLException {
      ExecutionRequest<String> keeping = request(key).withPolicy(KEEP_FAILURES);
      assertThatThrownBy(
              () ->
                  db().transactional()
                      .execute(
                          keeping,
                          (connection, execution) -> {
                            connection.commit();
                            return "done";
                          }))
          .isInstanceOf(IllegalStateException.class);
      assertThat(db().transactional().execute(keeping, TransactionalContract::effect))
          .isInstanceOf(Outcome.Executed.class);
    }

    @Test
    void maySetSavepointsAndGoBackToThem() throws SQLException {
      db().transactional()
          .execute(
              request(key),
              (connection, execution) -> {
                connection.setAutoCommit(false); // unchanged
                effect(connection, execution);
                Savepoint named = connection.setSavepoint("here");
                effect(connection, execution);
                connection.rollback(named);
                connection.releaseSavepoint(named);
                End.execute(connection, "SAVEPOINT there");
                effect(connection, execution);
                End.execute(connection, "ROLLBACK TO SAVEPOINT there");
                return "done";
              });
      assertThat(db().effects(key)).isEqualTo(1);
    }

    @Test
    void hasNoConnectionAfterIt() throws SQLException {
      AtomicReference<Connection> kept = new AtomicReference<>();
      db().transactional()
          .execute(
              request(key),
              (connection, execution) -> {
                kept.set(connection);
                return "done";
              });
      assertThatThrownBy(() -> kept.get().createStatement())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the transaction is over");
      assertThat(kept.get().isClosed()).isTrue();
    }
  }

  /** The driver's own type, by which work can unwrap its guarded connection. */
  abstract String driver();

  Connection driversOwn(Connection connection) throws SQLException {
    try {
      return (Connection) connection.unwrap(Class.forName(driver()));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  @Nested
  class WorkThatEndsItsTransactionBehindOurBack {
    private final Key key = Claims.freshKey();

    private void isFoundOut(TransactionalWork<String, SQLException> work) throws SQLException {
      assertThatThrownBy(() -> db().transactional().execute(request(key), work))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("ended its transaction");
      assertThat(db().store().find(key)).isEmpty();
      AtomicInteger runs = new AtomicInteger();
      db().transactional()
          .execute(
              request(Claims.freshKey()),
              (connection, execution) -> {
                runs.incrementAndGet();
                return effect(connection, execution);
              });
      assertThat(runs).hasValue(1);
    }

    @Test
    void byCommitIsFoundOut() throws SQLException {
      isFoundOut(
          (connection, execution) -> {
            effect(connection, execution);
            driversOwn(connection).commit();
            return "done";
          });
    }

    @Test
    void byCommitAndGoesOnWritingIsFoundOut() throws SQLException {
      isFoundOut(
          (connection, execution) -> {
            effect(connection, execution);
            driversOwn(connection).commit();
            return effect(connection, execution);
          });
    }

    @Test
    void byRollbackIsFoundOut() throws SQLException {
      isFoundOut(
          (connection, execution) -> {
            effect(connection, execution);
            driversOwn(connection).rollback();
            return "done";
          });
    }

    @Test
    void byAutomaticCommitsIsFoundOut() throws SQLException {
      isFoundOut(
          (connection, execution) -> {
            driversOwn(connection).setAutoCommit(true);
            return effect(connection, execution);
          });
    }
  }
}
