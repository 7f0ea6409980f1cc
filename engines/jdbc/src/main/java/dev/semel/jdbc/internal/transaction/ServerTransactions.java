package dev.semel.jdbc.internal.transaction;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.jdbc.internal.store.SqlSessions;
import dev.semel.loop.internal.Backoff;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** Same-transaction mode on any database server. */
public final class ServerTransactions implements EngineTransactions {
  /** How long to look up a lost answer: a server needs time to notice that its client is gone. */
  static final Duration RESOLVE_WITHIN = Duration.ofSeconds(30);

  /** How an engine begins: it locks the key, and then reads the record. */
  @FunctionalInterface
  public interface Beginning {
    Transaction begin(BorrowedConnection connection, Key key, Token token) throws SQLException;
  }

  private final SqlSessions sessions;
  private final Beginning beginning;

  public ServerTransactions(SqlSessions sessions, Beginning beginning) {
    this.sessions = sessions;
    this.beginning = beginning;
  }

  @Override
  public Transaction begin(Key key, Token token) throws SQLException {
    Connection connection = sessions.connect();
    boolean begun = false;
    try {
      Transaction transaction = beginning.begin(BorrowedConnection.of(connection), key, token);
      begun = true;
      return transaction;
    } finally {
      if (!begun) {
        BorrowedConnection.giveUp(connection);
      }
    }
  }

  @Override
  public boolean isConflict(Throwable failure) {
    return sessions.faults().isConflict(failure);
  }

  @Override
  public boolean refusedCommit(SQLException e) {
    return sessions.faults().refusedCommit(e);
  }

  /**
   * A record with the token proves the commit. Without it, getting the lock proves that the
   * transaction is over; not getting it means that the server has not noticed yet.
   */
  @Override
  public Fate fate(Key key, Token token) {
    Backoff backoff = new Backoff(SqlSessions.FIRST_PAUSE, SqlSessions.LONGEST_PAUSE);
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
        // The server may be restarting; its later answer counts.
      }
    } while (backoff.pauseUntil(deadline));
    return Fate.UNKNOWN;
  }

  @Override
  public StoreException fault(String what, SQLException e) {
    return sessions.faults().of(what, e);
  }

  @Override
  public void close() {
    // The source owns the connections, so there is nothing to close.
  }
}
