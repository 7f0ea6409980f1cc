package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Outcome;
import dev.semel.jdbc.Together.Beside;
import dev.semel.jdbc.internal.transaction.EngineTransactions;
import dev.semel.tck.ManualClock;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One writer at a time: work takes turns with other work and all other writers. */
final class SqliteTransactionalTest extends TransactionalContract {
  @TempDir Path folder;
  private SqliteStore store;
  private TransactionalFixture db;

  @BeforeEach
  void open() throws SQLException {
    Path file = folder.resolve("semel.db");
    ManualClock clock = new ManualClock();
    store = SqliteStore.open(file, clock);
    TransactionalFixture.Reports reports = new TransactionalFixture.Reports(store);
    db =
        new TransactionalFixture(
            store,
            reports.on(new SqliteTransactions(store)),
            DriverManager.getConnection("jdbc:sqlite:" + file),
            clock::advance,
            reports);
    db.execute("CREATE TABLE effect (id integer PRIMARY KEY, what text NOT NULL)");
  }

  @AfterEach
  void close() throws SQLException {
    db.close();
    store.close();
  }

  @Override
  String driver() {
    return "org.sqlite.SQLiteConnection";
  }

  @Override
  TransactionalFixture db() {
    return db;
  }

  @Test
  void workOfDifferentKeysTakesTurns() throws SQLException {
    AtomicInteger atIt = new AtomicInteger();
    List<Outcome<String>> outcomes =
        Together.race(
            12,
            () ->
                db.transactional()
                    .execute(
                        request(Claims.freshKey()),
                        (connection, execution) -> {
                          int together = atIt.incrementAndGet();
                          effect(connection, execution);
                          atIt.decrementAndGet();
                          return Integer.toString(together);
                        }));
    assertThat(outcomes).allSatisfy(o -> assertThat(o.value()).contains("1"));
  }

  @Test
  void callsUnderALeaseGoOnBetweenTheTurns() throws SQLException {
    List<Boolean> ended =
        Together.race(
            16,
            () -> {
              Key key = Claims.freshKey();
              for (int i = 0; i < 5; i++) {
                db.transactional().execute(request(Claims.freshKey()), (c, e) -> effect(c, e));
              }
              Token token = Token.draw();
              return store.claim(Claims.of(key, token)) instanceof ClaimResult.Granted
                  && store.complete(key, token, Claims.done(), Claims.RETENTION);
            });
    assertThat(ended).hasSize(16).doesNotContain(false);
    assertThat(store.usage().activeKeys()).isEqualTo(16 * 6);
  }

  @Test
  void workThatCallsTheStoreIsStoppedBeforeItWaitsForItself() throws SQLException {
    Key key = Claims.freshKey();
    assertThatThrownBy(
            () ->
                db.transactional()
                    .execute(
                        request(key),
                        (connection, execution) -> {
                          effect(connection, execution);
                          store.claim(Claims.of(Claims.freshKey()));
                          return "done";
                        }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("use its connection only");
    assertThatThrownBy(
            () ->
                db.transactional()
                    .execute(
                        request(key),
                        (connection, execution) ->
                            db.transactional()
                                .execute(request(Claims.freshKey()), TransactionalContract::effect)
                                .value()
                                .orElseThrow()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("use its connection only");
    assertThat(db.effects(key)).isZero();
  }

  @Test
  void refusedCommitLeavesNothing() throws SQLException {
    db.execute("CREATE TABLE parent (id integer PRIMARY KEY)");
    db.execute(
        "CREATE TABLE child (id integer REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED)");
    Key key = Claims.freshKey();
    assertThatThrownBy(
            () ->
                db.transactional()
                    .execute(
                        request(key),
                        (connection, execution) -> {
                          effect(connection, execution);
                          connection.createStatement().execute("INSERT INTO child VALUES (1)");
                          return "done";
                        }))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("nothing was committed");
    assertThat(db.effects(key)).isZero();
    assertThat(store.find(key)).isEmpty();
  }

  @Test
  void whatCannotBeReadMayHaveBeenCommitted() {
    try (SqliteTransactions transactions = new SqliteTransactions(store)) {
      store.close();
      assertThat(transactions.fate(Claims.freshKey(), Token.draw()))
          .isEqualTo(EngineTransactions.Fate.UNKNOWN);
    }
  }

  @Test
  @Tag("service") // waits for the whole busy timeout
  void workThatKeepsItsTurnTooLongMakesOthersGiveUp() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch running = new CountDownLatch(1);
    Beside<Outcome<String>> slow =
        Together.beside(
            () ->
                db.transactional()
                    .execute(
                        request(Claims.freshKey()),
                        (connection, execution) -> {
                          running.countDown();
                          release.await();
                          return effect(connection, execution);
                        }));
    running.await();
    Beside<ClaimResult> underLease =
        Together.beside(() -> store.claim(Claims.of(Claims.freshKey())));
    assertThatThrownBy(
            () ->
                db.transactional()
                    .execute(request(Claims.freshKey()), TransactionalContract::effect))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("has kept it for more than");
    assertThat(underLease.failure())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("nothing was written");
    release.countDown();
    assertThat(slow.result().value()).contains("done");
    assertThat(store.claim(Claims.of(Claims.freshKey()))).isInstanceOf(ClaimResult.Granted.class);
  }
}
