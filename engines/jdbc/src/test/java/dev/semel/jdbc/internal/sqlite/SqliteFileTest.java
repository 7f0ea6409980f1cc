package dev.semel.jdbc.internal.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.idempotency.ClaimResult;
import dev.semel.jdbc.Claims;
import dev.semel.jdbc.RawSqlite;
import dev.semel.jdbc.SchemaSetup;
import dev.semel.jdbc.SqliteStore;
import dev.semel.jdbc.Together;
import dev.semel.jdbc.Together.Beside;
import dev.semel.jdbc.internal.store.SqlSchema;
import dev.semel.jdbc.internal.store.StatementCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Errors for unusable files, and the set-up of usable ones. */
final class SqliteFileTest {
  @TempDir Path folder;

  private static SqliteStore open(Path path) {
    return SqliteStore.open(path, InstantSource.system());
  }

  @Nested
  class AFileThatCantBeUsed {
    @Test
    void folderIsRefusedWithAnExample() {
      assertThatThrownBy(() -> open(folder))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("is a folder")
          .hasMessageContaining(folder.resolve("semel.db").toString());
    }

    @Test
    void pathThatTheDriverWouldMisreadIsRefused() {
      assertThatThrownBy(() -> open(folder.resolve("semel.db?mode=ro")))
          .isInstanceOf(InvalidInput.class);
    }

    @Test
    void folderThatCantBeCreatedIsNamed() throws IOException {
      Path file = Files.writeString(folder.resolve("file"), "");
      assertThatThrownBy(() -> open(file.resolve("sub").resolve("semel.db")))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("can't be created")
          .hasMessageContaining(file.toString());
    }

    @Test
    void fileThatIsNoDatabaseIsLeftAsItWas() throws IOException {
      String text = "Dear diary, today I was opened by mistake.".repeat(100);
      Path file = Files.writeString(folder.resolve("diary.txt"), text);
      assertThatThrownBy(() -> open(file))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("no SQLite database");
      assertThat(file).hasContent(text);
    }

    @Test
    void resultCodesAreExplained() {
      assertThat(explained(8)).contains("read-only").contains("owner");
      assertThat(explained(13)).contains("disk is full");
      assertThat(explained(14)).contains("folder may be written to");
      assertThat(explained(11)).contains("damaged");
    }

    private String explained(int code) {
      return SqliteFault.of(folder, "it failed", new SQLException("?", null, code)).toString();
    }

    @Test
    @Tag("service") // waits for the whole busy timeout
    void strangerWhoKeepsTheFileLockedIsSuspected() throws SQLException {
      Path file = folder.resolve("semel.db");
      try (SqliteStore store = open(file);
          RawSqlite stranger = new RawSqlite(file)) {
        stranger.lock();
        Key key = Claims.freshKey();
        assertThatThrownBy(() -> store.claim(Claims.of(key)))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("nothing was written")
            .hasMessageContaining("another process")
            .hasMessageContaining("fuser " + file);
        assertThat(store.find(key)).isEmpty();
        stranger.unlock();
        assertThat(store.claim(Claims.of(key))).isInstanceOf(ClaimResult.Granted.class);
      }
    }
  }

  @Nested
  class ANewFile {
    @Test
    void foldersAreCreated() {
      Path file = folder.resolve("a").resolve("b").resolve("semel.db");
      open(file).close();
      assertThat(file).isRegularFile();
    }

    @Test
    void everyCommitIsForcedAndTheLogIsSharedByProcesses() throws SQLException {
      Path file = folder.resolve("semel.db");
      SqliteFile opened = SqliteFile.open(file, SchemaSetup.CREATE);
      try (StatementCache db = new StatementCache(opened.connect(false))) {
        assertThat(db.first("PRAGMA synchronous", rs -> rs.getInt(1))).contains(2);
        assertThat(db.first("PRAGMA journal_mode", rs -> rs.getString(1))).contains("wal");
      }
    }

    @Test
    void recordsSurviveClosing() {
      Path file = folder.resolve("semel.db");
      Key key = Claims.freshKey();
      try (SqliteStore store = open(file)) {
        store.claim(Claims.of(key));
      }
      try (SqliteStore store = open(file)) {
        assertThat(store.claim(Claims.of(key))).isInstanceOf(ClaimResult.InFlight.class);
      }
    }
  }

  @Test
  void olderFileIsTakenOverOnceItsWriterIsDone() throws SQLException {
    Path file = folder.resolve("older.db");
    try (RawSqlite writer = new RawSqlite(file)) {
      writer.execute("CREATE TABLE theirs (id integer)");
      writer.lock();
      Beside<Boolean> opening =
          Together.beside(
              () -> {
                open(file).close();
                return true;
              });
      opening.awaitWaiting();
      writer.unlock();
      assertThat(opening.result()).isTrue();
      assertThat(writer.number("SELECT count(*) FROM theirs")).isZero();
    }
  }

  @Nested
  class ItsTables {
    private Path file() {
      return folder.resolve("semel.db");
    }

    @Test
    void areCreatedOnceByManyWhoOpenTheFileTogether() throws SQLException {
      List<Boolean> opened =
          Together.race(
              12,
              () -> {
                try (SqliteStore store = open(file())) {
                  return store.usage().activeKeys() == 0;
                }
              });
      assertThat(opened).hasSize(12).doesNotContain(false);
      try (RawSqlite raw = new RawSqlite(file())) {
        assertThat(raw.number("SELECT count(*) FROM semel_schema")).isEqualTo(2);
        assertThat(raw.number("SELECT max(version) FROM semel_schema"))
            .isEqualTo(SqlSchema.SQLITE.newest());
      }
    }

    @Test
    void ofANewerProgramAreRefused() throws SQLException {
      open(file()).close();
      try (RawSqlite raw = new RawSqlite(file())) {
        raw.execute("DELETE FROM semel_schema");
        raw.execute("INSERT INTO semel_schema (version) VALUES (99)");
      }
      for (SchemaSetup setup : SchemaSetup.values()) {
        assertThatThrownBy(() -> SqliteStore.open(file(), InstantSource.system(), setup))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("version 99")
            .hasMessageContaining("update the program");
      }
    }

    @Test
    void areNotCreatedByThoseWhoMayOnlyLook() throws SQLException {
      assertThatThrownBy(() -> SqliteStore.open(file(), InstantSource.system(), SchemaSetup.CHECK))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("no semel tables")
          .hasMessageContaining("ddl()");
      try (RawSqlite raw = new RawSqlite(file())) {
        assertThat(raw.number("SELECT count(*) FROM sqlite_master")).isZero();
      }
    }

    @Test
    void createdByHandFromTheDdlAreAccepted() throws SQLException {
      try (RawSqlite raw = new RawSqlite(file())) {
        raw.script(SqliteStore.ddl());
      }
      try (SqliteStore store =
          SqliteStore.open(file(), InstantSource.system(), SchemaSetup.CHECK)) {
        assertThat(store.claim(Claims.of(Claims.freshKey())))
            .isInstanceOf(ClaimResult.Granted.class);
      }
    }
  }
}
