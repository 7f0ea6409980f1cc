package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.FailurePolicy;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.jdbc.CommitProxy.Fault;
import dev.semel.jdbc.Together.Beside;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A COMMIT whose answer gets lost: a real server behind a network that fails at that moment. */
@SuppressWarnings("NullAway.Init") // the engine's test calls use() before each test
abstract class LostCommitContract {
  private CommitProxy proxy;
  private HikariDataSource pool;
  private TransactionalFixture db;

  /** Sets a fixture whose pool reaches the server through the proxy. */
  void use(CommitProxy proxy, HikariDataSource pool, TransactionalFixture db) {
    this.proxy = proxy;
    this.pool = pool;
    this.db = db;
  }

  @AfterEach
  void close() throws IOException, SQLException {
    db.close();
    pool.close();
    proxy.close();
  }

  /** A query for the session's id. */
  abstract String session();

  /** The statement that ends a session from another one. */
  abstract String end(long session);

  private Outcome<String> execute(Key key) throws SQLException {
    return db.transactional()
        .execute(TransactionalContract.request(key), TransactionalContract::effect);
  }

  @Test
  void thatHappenedIsFoundToHaveHappened() throws SQLException {
    Key key = Claims.freshKey();
    proxy.failNextCommit(Fault.LOSE_THE_ANSWER);
    assertThat(execute(key)).isEqualTo(new Outcome.Executed<>("done", 1, true));
    assertThat(db.effects(key)).isEqualTo(1);
    assertThat(execute(key)).isInstanceOf(Outcome.Replayed.class);
    assertThat(db.effects(key)).isEqualTo(1);
  }

  @Test
  void thatNeverArrivedIsSaidNotToHaveHappened() throws SQLException {
    Key key = Claims.freshKey();
    proxy.failNextCommit(Fault.LOSE_THE_COMMIT);
    assertThatThrownBy(() -> execute(key))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("nothing was committed");
    assertThat(db.effects(key)).isZero();
    assertThat(execute(key)).isEqualTo(new Outcome.Executed<>("done", 1, true));
    assertThat(db.effects(key)).isEqualTo(1);
  }

  @Test
  void isLookedForUntilTheServerKnowsThatItsClientIsGone() throws Exception {
    Key key = Claims.freshKey();
    proxy.failNextCommit(Fault.LOSE_THE_CLIENT);
    Beside<Outcome<String>> lost = Together.beside(() -> execute(key));
    Together.until(proxy::clientIsLost);
    // The server still holds the key for the lost client, so others get "in flight".
    assertThat(execute(key)).isInstanceOf(Outcome.InFlight.class);
    assertThat(lost.future()).isNotDone();
    proxy.cutOffTheServer();
    assertThat(lost.failure())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("nothing was committed");
    assertThat(db.effects(key)).isZero();
  }

  @Test
  void ofAFinalFailureIsResolvedToo() throws Exception {
    Key key = Claims.freshKey();
    proxy.failNextCommit(Fault.LOSE_THE_ANSWER);
    Outcome<String> outcome =
        db.transactional()
            .execute(
                TransactionalContract.request(key)
                    .withPolicy(ExecutionPolicy.defaults().withOnFailure(FailurePolicy.STORE)),
                (connection, execution) -> {
                  TransactionalContract.effect(connection, execution);
                  throw new IOException("card refused");
                });
    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    assertThat(db.store().find(key).orElseThrow().state()).isEqualTo(RecordState.FAILED);
    assertThat(db.effects(key)).isZero();
  }

  @Test
  void serverProcessThatDiesUnderTheWorkLeavesNothing() throws SQLException {
    Key key = Claims.freshKey();
    assertThatThrownBy(
            () ->
                db.transactional()
                    .execute(
                        TransactionalContract.request(key),
                        (connection, execution) -> {
                          TransactionalContract.effect(connection, execution);
                          try (ResultSet rs =
                              connection.createStatement().executeQuery(session())) {
                            rs.next();
                            db.execute(end(rs.getLong(1)));
                          }
                          return "done";
                        }))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("nothing was committed");
    assertThat(db.effects(key)).isZero();
    assertThat(execute(key)).isEqualTo(new Outcome.Executed<>("done", 1, true));
  }
}
