package dev.semel.jdbc.internal.transaction;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.jdbc.internal.store.SqlDialect;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Same-transaction mode on MariaDB inside a transaction that the caller began and will end. For one
 * execution.
 */
public final class JoinedMariaDb implements EngineTransactions {
  private final EngineTransactions direct;
  private final Connection connection;
  private final SqlDialect sql;
  private boolean again;

  /**
   * Begins on the first request.
   *
   * @param direct for requests outside that transaction
   */
  public JoinedMariaDb(EngineTransactions direct, Connection connection, SqlDialect sql) {
    this.direct = direct;
    this.connection = connection;
    this.sql = sql;
  }

  @Override
  public Transaction begin(Key key, Token token) throws SQLException {
    JoinedTransaction.require(connection);
    Transaction begun = new Part(MariaDbTransaction.within(connection, sql, key, again));
    again = true;
    return begun;
  }

  /** Never repeats: only the caller could begin the whole transaction again. */
  @Override
  public boolean isConflict(Throwable failure) {
    return false;
  }

  @Override
  public boolean refusedCommit(SQLException e) {
    return direct.refusedCommit(e);
  }

  @Override
  public Fate fate(Key key, Token token) {
    return Fate.UNKNOWN; // nothing is committed here
  }

  @Override
  public StoreException fault(String what, SQLException e) {
    return direct.fault(what, e);
  }

  @Override
  public void close() {
    // The caller owns the connection.
  }

  private static final class Part implements Transaction {
    private final MariaDbTransaction within;
    private boolean recorded;
    private boolean closed;

    Part(MariaDbTransaction within) {
      this.within = within;
    }

    @Override
    public Seen seen() {
      return within.seen();
    }

    @Override
    public Connection connection() {
      return within.connection();
    }

    @Override
    public void markStart() {}

    @Override
    public void undoWork() throws SQLException {
      within.undoWork();
    }

    @Override
    public boolean record(ClaimRequest claim, int attempt, ExecutionEnd ending)
        throws SQLException {
      boolean ours = within.record(claim, attempt, ending);
      recorded = ours;
      return ours;
    }

    /** Does nothing: the caller commits. */
    @Override
    public void commit() {}

    @Override
    public void close() {
      if (closed) {
        return;
      }
      closed = true;
      try {
        within.leave(recorded);
      } catch (SQLException e) {
        throw new StoreException(
            "what the work wrote can't be undone alone: roll the transaction back", e);
      }
    }
  }
}
