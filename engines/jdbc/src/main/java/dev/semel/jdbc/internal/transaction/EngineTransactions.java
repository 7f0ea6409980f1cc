package dev.semel.jdbc.internal.transaction;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.jdbc.internal.store.RecordRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** The part of same-transaction mode that differs between engines. Safe for many threads. */
public interface EngineTransactions extends AutoCloseable {
  /** The result of a commit whose answer was lost. */
  public enum Fate {
    COMMITTED,
    ROLLED_BACK,
    UNKNOWN
  }

  /**
   * Begins, locks the key until the transaction ends if it is free, and reads its record.
   *
   * @throws StoreException when the engine's own queue is too long
   */
  Transaction begin(Key key, Token token) throws SQLException;

  /** Whether the transaction did nothing and should be repeated as a whole. */
  boolean isConflict(Throwable failure);

  /** Whether a failed commit certainly did not happen. */
  boolean refusedCommit(SQLException e);

  /** Looks up the result of a commit; waits a limited time while the engine still runs it. */
  Fate fate(Key key, Token token);

  StoreException fault(String what, SQLException e);

  @Override
  void close();

  /**
   * The state of the key.
   *
   * @param locked false: another transaction has the key, and the record must be ignored
   * @param existing the record, even if its retention ended
   */
  record Seen(boolean locked, Optional<StoredRecord> existing) {
    Optional<StoredRecord> live() {
      return existing.filter(RecordRows::live);
    }
  }

  /** One transaction on one connection. For one thread. */
  interface Transaction extends AutoCloseable {
    Seen seen();

    Connection connection();

    /** Marks where {@link #undoWork} goes back to; called only when that may be needed. */
    void markStart() throws SQLException;

    /** Rolls back to the mark and keeps the key. */
    void undoWork() throws SQLException;

    /**
     * Writes the execution's end, replacing the record that was seen or an expired one.
     *
     * @return false: a concurrent record is in the way
     * @throws IllegalStateException when the work ended the transaction
     */
    boolean record(ClaimRequest claim, int attempt, ExecutionEnd ending) throws SQLException;

    void commit() throws SQLException;

    /** Rolls back uncommitted work, and returns the connection; runs once. */
    @Override
    void close();
  }

  static IllegalStateException endedByWork() {
    return new IllegalStateException(
        "the work ended its transaction, so what it wrote may be committed without a record: let it not commit, roll back, close, or change the connection's automatic commits");
  }
}
