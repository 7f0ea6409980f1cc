package dev.semel.jdbc.internal.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.StoreException;
import dev.semel.jdbc.SchemaSetup;
import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.tck.LoopWatch;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes known of the thread that writes, when the driver has a bug. */
final class WriterLoopTest {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void aCommitThatFailsIsToldToItsCallerAndToAll() throws SQLException {
    Path path = folder.resolve("semel.db");
    SqliteFile file = SqliteFile.open(path, SchemaSetup.CREATE);
    LoopWatch watch = LoopWatch.of("semel-sqlite-writer");
    try (FaultySqlite driver = FaultySqlite.of(path);
        GroupCommit writers = GroupCommit.start(file)) {
      assertThatThrownBy(() -> writers.run(WriterLoopTest::version))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("whether it was written is unknown")
          .hasRootCauseMessage("a bug in commit");
      await().untilAsserted(watch::assertTold);
      driver.heal();
      assertThat(writers.run(WriterLoopTest::version)).isPositive();
    }
  }

  private static int version(StatementCache db) throws SQLException {
    return db.first("SELECT max(version) FROM semel_schema", row -> row.getInt(1)).orElseThrow();
  }
}
