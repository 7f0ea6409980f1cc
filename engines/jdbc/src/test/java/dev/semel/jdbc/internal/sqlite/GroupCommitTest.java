package dev.semel.jdbc.internal.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.jdbc.Claims;
import dev.semel.jdbc.RawSqlite;
import dev.semel.jdbc.SqliteStore;
import dev.semel.jdbc.Together;
import dev.semel.jdbc.Together.Beside;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Callers share a commit and nothing else. Another program's lock makes them wait in one batch. */
final class GroupCommitTest {
  private static final int NEIGHBOURS = 20;
  private static final int PAGE_BYTES = 4096;

  @TempDir Path folder;
  private SqliteStore store;
  private RawSqlite stranger;

  @BeforeEach
  void open() throws SQLException {
    Path file = folder.resolve("semel.db");
    store = SqliteStore.open(file, InstantSource.system());
    stranger = new RawSqlite(file);
  }

  @AfterEach
  void close() throws SQLException {
    stranger.close();
    store.close();
  }

  private Beside<ClaimResult> claiming(Key key) {
    Beside<ClaimResult> claiming = Together.beside(() -> store.claim(Claims.of(key)));
    claiming.awaitWaiting();
    return claiming;
  }

  private List<Beside<ClaimResult>> neighbours() {
    List<Beside<ClaimResult>> neighbours = new ArrayList<>();
    for (int i = 0; i < NEIGHBOURS; i++) {
      neighbours.add(claiming(Claims.freshKey()));
    }
    return neighbours;
  }

  @Test
  void callersWhoWaitTogetherShareOneCommit() throws SQLException, IOException {
    store.claim(Claims.of(Claims.freshKey())); // so that the writer is connected
    stranger.number("PRAGMA wal_checkpoint(TRUNCATE)");
    stranger.lock();
    Beside<ClaimResult> first = claiming(Claims.freshKey()); // perhaps in its own batch
    List<Beside<ClaimResult>> rest = neighbours();
    stranger.unlock();

    assertThat(first.result()).isInstanceOf(ClaimResult.Granted.class);
    assertThat(rest)
        .allSatisfy(c -> assertThat(c.result()).isInstanceOf(ClaimResult.Granted.class));
    // Every commit writes each changed page; a single claim changes at least three.
    long pages = Files.size(folder.resolve("semel.db-wal")) / PAGE_BYTES;
    assertThat(pages).isLessThan(NEIGHBOURS);
  }

  @Test
  void stepThatFailsDoesNotFailItsNeighbours() throws SQLException {
    stranger.execute(
        "CREATE TRIGGER poison BEFORE INSERT ON semel_idempotency WHEN NEW.key LIKE '%poison%'"
            + " BEGIN SELECT RAISE(ABORT, 'poisoned'); END");
    stranger.lock();
    List<Beside<ClaimResult>> before = neighbours();
    Beside<ClaimResult> poisoned = claiming(Key.of("payments", "poison"));
    List<Beside<ClaimResult>> after = neighbours();
    stranger.unlock();

    assertThat(poisoned.failure())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("nothing was written")
        .hasMessageContaining("poisoned");
    assertThat(before)
        .allSatisfy(c -> assertThat(c.result()).isInstanceOf(ClaimResult.Granted.class));
    assertThat(after)
        .allSatisfy(c -> assertThat(c.result()).isInstanceOf(ClaimResult.Granted.class));
    assertThat(stranger.number("SELECT count(*) FROM semel_idempotency")).isEqualTo(2 * NEIGHBOURS);
  }

  @Test
  void refusedCommitFailsTheBatchAndLeavesNothing() throws SQLException {
    stranger.execute("CREATE TABLE parent (id integer PRIMARY KEY)");
    stranger.execute(
        "CREATE TABLE child (id integer REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED)");
    stranger.execute(
        "CREATE TRIGGER orphan AFTER INSERT ON semel_idempotency"
            + " BEGIN INSERT INTO child VALUES (1); END");
    Key key = Claims.freshKey();

    assertThatThrownBy(() -> store.claim(Claims.of(key)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("nothing was written");
    assertThat(store.find(key)).isEmpty();

    stranger.execute("DROP TRIGGER orphan");
    assertThat(store.claim(Claims.of(key))).isInstanceOf(ClaimResult.Granted.class);
  }

  @Test
  void interruptedCallerLeavesAtOnceAndTheOthersGoOn() throws SQLException {
    stranger.lock();
    Beside<ClaimResult> first = claiming(Claims.freshKey());
    Key abandoned = Claims.freshKey();
    Beside<ClaimResult> interrupted = claiming(abandoned);
    Beside<ClaimResult> last = claiming(Claims.freshKey());
    interrupted.thread().interrupt();

    assertThat(interrupted.failure())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("interrupted");
    assertThat(first.future()).isNotDone();
    stranger.unlock();
    assertThat(first.result()).isInstanceOf(ClaimResult.Granted.class);
    assertThat(last.result()).isInstanceOf(ClaimResult.Granted.class);
  }

  @Test
  void callerThatComesInterruptedKeepsItsInterruptAndWritesNothing() {
    Key key = Claims.freshKey();
    Beside<Boolean> caller =
        Together.beside(
            () -> {
              Thread.currentThread().interrupt();
              assertThatThrownBy(() -> store.claim(Claims.of(key)))
                  .isInstanceOf(StoreException.class)
                  .hasMessageContaining("nothing was written");
              return Thread.currentThread().isInterrupted();
            });
    assertThat(caller.result()).isTrue();
    assertThat(store.claim(Claims.of(key))).isInstanceOf(ClaimResult.Granted.class);
  }

  @Test
  void closeAnswersThoseWhoWait() throws SQLException {
    stranger.lock();
    List<Beside<ClaimResult>> waiting = neighbours();
    Beside<Boolean> closing =
        Together.beside(
            () -> {
              store.close();
              return true;
            });
    closing.awaitWaiting();
    stranger.unlock();

    assertThat(closing.result()).isTrue();
    assertThat(waiting)
        .allSatisfy(c -> assertThat(c.result()).isInstanceOf(ClaimResult.Granted.class));
    assertThat(stranger.number("SELECT count(*) FROM semel_idempotency")).isEqualTo(NEIGHBOURS);
  }

  @Test
  void closedStoreRefusesAndSaysSo() {
    store.close();
    Key key = Claims.freshKey();
    assertThatThrownBy(() -> store.claim(Claims.of(key)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(() -> store.find(key))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void manyThreadsCloseTheirKeysWithoutLosingOne() {
    List<Boolean> ended =
        Together.race(
            32,
            () -> {
              boolean all = true;
              for (int i = 0; i < 20; i++) {
                Key key = Claims.freshKey();
                Token token = Token.draw();
                store.claim(Claims.of(key, token));
                all &= store.complete(key, token, Claims.done(), Claims.RETENTION);
              }
              return all;
            });
    assertThat(ended).doesNotContain(false);
    assertThat(store.usage().activeKeys()).isEqualTo(32 * 20);
  }
}
