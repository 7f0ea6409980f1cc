package dev.semel.jdbc;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.Existing;
import dev.semel.loop.Backoff;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * Same-transaction mode on PostgreSQL: an advisory lock on the key, held until the transaction
 * ends, tells concurrent duplicates at once that they are late, without a row to wait for.
 */
final class PostgresTransactions implements Transactions {
  /**
   * How long a lost answer is looked for: a server needs time to notice that its client is gone.
   */
  static final Duration RESOLVE_WITHIN = Duration.ofSeconds(30);

  /**
   * Two statements in one round trip. The second begins to look after the first has the lock; in
   * one statement it would look with the eyes of before, and miss a record committed since. The
   * setting lasts as long as the transaction, and so tells later whether it is still the same.
   */
  private static final String BEGIN =
      "SELECT pg_try_advisory_xact_lock(?), set_config('semel.token', ?, true); "
          + PostgresRecords.FIND;

  private final PostgresSessions sessions;

  PostgresTransactions(PostgresSessions sessions) {
    this.sessions = sessions;
  }

  @Override
  public Transaction begin(Key key, Token token) throws SQLException {
    Connection connection = sessions.connect();
    boolean begun = false;
    try {
      boolean automatic = connection.getAutoCommit();
      connection.setAutoCommit(false);
      Seen seen = lockAndSee(connection, key, token);
      begun = true;
      return new PostgresTransaction(connection, automatic, seen);
    } finally {
      if (!begun) {
        PostgresTransaction.giveUp(connection);
      }
    }
  }

  private static Seen lockAndSee(Connection connection, Key key, Token token) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(BEGIN)) {
      Rows.bind(statement, AdvisoryLock.of(key.text()), token.text(), key.text());
      statement.execute();
      boolean locked;
      try (ResultSet rs = statement.getResultSet()) {
        rs.next();
        locked = rs.getBoolean(1);
      }
      statement.getMoreResults();
      try (ResultSet rs = statement.getResultSet()) {
        Optional<Existing> existing =
            rs.next() ? Optional.of(PostgresRecords.existing(rs)) : Optional.empty();
        return new Seen(locked, existing);
      }
    }
  }

  @Override
  public boolean isConflict(Throwable failure) {
    return PostgresFault.isConflict(failure);
  }

  @Override
  public boolean refusedCommit(SQLException e) {
    return PostgresFault.refusedCommit(e);
  }

  /**
   * A record with the token is proof of the commit. Without one, having the lock is proof that the
   * transaction is over; not having it, that the server has not noticed yet.
   */
  @Override
  public Fate fate(Key key, Token token) {
    Backoff backoff = new Backoff(PostgresSessions.FIRST_PAUSE, PostgresSessions.LONGEST_PAUSE);
    long deadline = System.nanoTime() + RESOLVE_WITHIN.toNanos();
    do {
      try (Transaction look = begin(key, Token.draw())) {
        if (look.seen().existing().map(e -> e.token().equals(token)).orElse(false)) {
          return Fate.COMMITTED;
        }
        if (look.seen().locked()) {
          return Fate.ROLLED_BACK;
        }
      } catch (SQLException e) {
        // It may be restarting; what it will say after that is what counts.
      }
    } while (backoff.pauseUntil(deadline));
    return Fate.UNKNOWN;
  }

  @Override
  public StoreException fault(String what, SQLException e) {
    return PostgresFault.of(what, e);
  }

  @Override
  public void close() {
    // Connections belong to the source.
  }
}
