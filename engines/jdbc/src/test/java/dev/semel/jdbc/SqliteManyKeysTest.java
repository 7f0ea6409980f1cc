package dev.semel.jdbc;

import dev.semel.proof.fault.ChildJvm;
import dev.semel.proof.fault.ManyKeys;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

@Tag("proof")
class SqliteManyKeysTest {
  /** One statement, because a million claims would only measure the disk. */
  private static final String FILL =
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
      INSERT INTO semel_idempotency (key, state, token, attempt, fingerprint, request_id,
        claimed_at, lease_until, expires_at, retention, payload_type, payload)
      SELECT 'default/payments:order-' || i, 'C', zeroblob(16), 1, '', '',
        unixepoch() * 1000, unixepoch() * 1000, (unixepoch() + 86400) * 1000, 86400000, '', ''
      FROM n"""
          .formatted(ManyKeys.COUNT);

  @TempDir Path folder;

  /** The child. */
  static final class Lister {
    private Lister() {}

    public static void main(String[] arguments) {
      try (SqliteStore store = SqliteStore.open(Path.of(arguments[0]), InstantSource.system())) {
        ManyKeys.list(store);
      }
    }
  }

  @Test
  void aMillionKeysAreListedPageByPage(TestReporter report) throws SQLException {
    Path file = folder.resolve("semel.db");
    SqliteStore.open(file, InstantSource.system()).close();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(FILL);
    }
    try (ChildJvm child =
        ChildJvm.start(Lister.class, folder.resolve("child.log"), file.toString())) {
      child.awaitSuccess();
      report.publishEntry("keys", "" + ManyKeys.COUNT);
      System.out.print("sqlite, " + child.output());
    }
  }
}
