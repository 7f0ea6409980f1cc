package dev.semel.jdbc.internal.transaction;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.jdbc.OuterTransactions;
import dev.semel.jdbc.internal.store.SqlDialect;
import java.sql.Connection;
import java.sql.SQLException;

/** Same-transaction mode on PostgreSQL, in transactions that the application begins and ends. */
public final class OuterPostgresTransactions implements EngineTransactions {
  private static final String SERIALIZATION_FAILURE = "40001";

  private final EngineTransactions direct;
  private final OuterTransactions outers;
  private final SqlDialect sql;

  /**
   * Begins on the first request.
   *
   * @param direct for requests outside those transactions
   */
  public OuterPostgresTransactions(
      EngineTransactions direct, OuterTransactions outers, SqlDialect sql) {
    this.direct = direct;
    this.outers = outers;
    this.sql = sql;
  }

  @Override
  public Transaction begin(Key key, Token token) throws SQLException {
    return new Joined(key, token);
  }

  @Override
  public boolean isConflict(Throwable failure) {
    return outers.repeatable() && direct.isConflict(failure);
  }

  @Override
  public boolean refusedCommit(SQLException e) {
    return direct.refusedCommit(e);
  }

  @Override
  public Fate fate(Key key, Token token) {
    return direct.fate(key, token);
  }

  @Override
  public StoreException fault(String what, SQLException e) {
    return direct.fault(what, e);
  }

  @Override
  public void close() {
    direct.close();
  }

  private final class Joined implements Transaction {
    private final Key key;
    private final Token token;
    private OuterTransactions.Outer outer;
    private PostgresTransaction within;
    private boolean worked;
    private boolean ended;

    Joined(Key key, Token token) throws SQLException {
      this.key = key;
      this.token = token;
      this.outer = outers.begin();
      this.within = look(outer);
    }

    private PostgresTransaction look(OuterTransactions.Outer begun) throws SQLException {
      boolean looked = false;
      try {
        Connection connection = begun.connection();
        if (connection.getAutoCommit()) {
          throw new IllegalStateException(
              "the connection of the application's transaction commits every statement by itself: what was done and the record of it could part");
        }
        PostgresTransaction found =
            PostgresTransaction.begin(BorrowedConnection.of(connection), sql, key, token);
        looked = true;
        return found;
      } finally {
        if (!looked) {
          ended = true;
          begun.leave();
        }
      }
    }

    @Override
    public Seen seen() {
      return within.seen();
    }

    /** Asked for only when the work begins. */
    @Override
    public Connection connection() {
      worked = true;
      return outer.connection();
    }

    /**
     * Sets no savepoint: a persistence context would not go back to it together with the
     * connection.
     */
    @Override
    public void markStart() {}

    /** Rolls the whole transaction back; another one takes the key. */
    @Override
    public void undoWork() throws SQLException {
      ended = true;
      outer.rollBack();
      outer = outers.begin();
      ended = false;
      within = look(outer);
      if (!within.seen().locked()) {
        throw new SQLException("another took the key meanwhile", SERIALIZATION_FAILURE);
      }
    }

    @Override
    public boolean record(ClaimRequest claim, int attempt, ExecutionEnd ending)
        throws SQLException {
      return within.record(claim, attempt, ending);
    }

    @Override
    public void commit() throws SQLException {
      ended = true;
      outer.commit();
    }

    @Override
    public void close() {
      if (ended) {
        return;
      }
      ended = true;
      if (worked) {
        outer.rollBack();
      } else {
        outer.leave();
      }
    }
  }
}
