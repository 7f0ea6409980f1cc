package dev.semel.benchmarks.growth;

import dev.semel.event.SemelListener;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.spi.Store;
import dev.semel.jdbc.SqliteStore;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.SplittableRandom;

/** An SQLite file, filled in one transaction by an exclusive connection without syncs. */
final class FilledSqlite implements FilledStore {
  private static final int BATCH = 10_000;

  private static final String COPY =
      """
      INSERT INTO semel_idempotency (key, state, token, attempt, fingerprint, request_id,
        claimed_at, lease_until, expires_at, ended_at, retention, payload_type, payload)
      SELECT ?, state, ?, attempt, fingerprint, request_id, claimed_at, lease_until, expires_at,
        ended_at, retention, payload_type, payload FROM template""";

  private final Path file;
  private SqliteStore store;

  FilledSqlite(Path file) {
    this.file = file;
    this.store = SqliteStore.open(file, InstantSource.system());
    try (Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
      FilledStore.execute(idempotency, FilledStore.key("template"));
    }
  }

  @Override
  public String name() {
    return "SQLite";
  }

  @Override
  public void fill(long first, long end) throws SQLException {
    store.close();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("PRAGMA journal_mode = OFF");
        statement.execute("PRAGMA synchronous = OFF");
        statement.execute("PRAGMA cache_size = -2000000");
        statement.execute(
            "CREATE TEMP TABLE template AS SELECT * FROM semel_idempotency WHERE key = '"
                + FilledStore.key("template").text()
                + "'");
      }
      connection.setAutoCommit(false);
      insert(connection, first, end);
      connection.commit();
    }
    store = SqliteStore.open(file, InstantSource.system());
  }

  private static void insert(Connection connection, long first, long end) throws SQLException {
    SplittableRandom random = new SplittableRandom(first);
    try (PreparedStatement copy = connection.prepareStatement(COPY)) {
      for (long n = first; n < end; n++) {
        copy.setString(1, FilledStore.key(FilledStore.id(n)).text());
        copy.setBytes(
            2,
            ByteBuffer.allocate(16).putLong(random.nextLong()).putLong(random.nextLong()).array());
        copy.addBatch();
        if ((n + 1 - first) % BATCH == 0 || n + 1 == end) {
          copy.executeBatch();
        }
      }
    }
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public long bytes() throws Exception {
    return Files.size(file);
  }

  @Override
  public void close() {
    store.close();
  }
}
