package dev.semel.cli;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.jdbc.SqliteStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Records that others have left in a store, at any time. */
public final class Records {
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration RETENTION = Duration.ofHours(24);

  private Records() {}

  /** A claim of this age that was never completed. */
  public static Token claimed(Path database, Key key, Duration ago) {
    return claimed(database, key, ago, RETENTION);
  }

  public static Token claimed(Path database, Key key, Duration ago, Duration retention) {
    try (SqliteStore store = SqliteStore.open(database, past(ago))) {
      Token token = Token.draw();
      ClaimResult claim =
          store.claim(
              new ClaimRequest(
                  key,
                  token,
                  Fingerprint.NONE,
                  LEASE,
                  retention,
                  TakeoverPolicy.IN_DOUBT,
                  "request-1"));
      if (!(claim instanceof ClaimResult.Granted)) {
        throw new IllegalStateException("not granted: " + claim);
      }
      return token;
    }
  }

  public static void completed(Path database, Key key, Payload response) {
    Token token = claimed(database, key, Duration.ZERO);
    try (SqliteStore store = SqliteStore.open(database, InstantSource.system())) {
      if (!store.complete(key, token, ExecutionEnd.completed(response), RETENTION)) {
        throw new IllegalStateException("not completed");
      }
    }
  }

  /** Inserts many in one statement: claims would only measure the disk. */
  static void many(Path database, int count) throws SQLException {
    SqliteStore.open(database, InstantSource.system()).close();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
          INSERT INTO semel_idempotency (key, state, token, attempt, fingerprint, request_id,
            claimed_at, lease_until, expires_at, retention, payload_type, payload)
          SELECT printf('default/payments:order-%%07d', i), 'C', zeroblob(16), 1, '', '',
            unixepoch() * 1000, unixepoch() * 1000, (unixepoch() + 86400) * 1000, 86400000, '', ''
          FROM n"""
              .formatted(count));
    }
  }

  private static InstantSource past(Duration ago) {
    return InstantSource.fixed(Instant.now().minus(ago));
  }
}
