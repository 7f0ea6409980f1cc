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

/** What same-transaction mode asks of an engine; safe for many threads. */
public interface EngineTransactions extends AutoCloseable {
  /** What became of a commit whose answer was lost. */
  public enum Fate {
    COMMITTED,
    ROLLED_BACK,
    UNKNOWN
  }

  /**
   * Begins, takes the key for the transaction's time if it is free, and reads its record.
   *
   * @throws StoreException when the engine's own queue is too long
   */
  Transaction begin(Key key, Token token) throws SQLException;

  /** Whether the transaction did nothing and should be tried again as a whole. */
  boolean isConflict(Throwable failure);

  /** Whether a commit that failed so certainly did not happen. */
  boolean refusedCommit(SQLException e);

  /** Finds out; waits for an engine that is still at it, but not without limit. */
  Fate fate(Key key, Token token);

  StoreException fault(String what, SQLException e);

  @Override
  void close();

  /**
   * What the key looked like.
   *
   * @param locked false: another transaction has the key, and the rest is of no use
   * @param existing the record, even if its retention ended
   */
  record Seen(boolean locked, Optional<StoredRecord> existing) {
    Optional<StoredRecord> live() {
      return existing.filter(RecordRows::live);
    }
  }

  /** One transaction on a connection of its own. For one thread. */
  interface Transaction extends AutoCloseable {
    Seen seen();

    Connection connection();

    /** Where {@link #undoWork} goes back to; only asked for when that may be needed. */
    void markStart() throws SQLException;

    /** Rolls back what came after the mark and keeps the key. */
    void undoWork() throws SQLException;

    /**
     * Writes how it ended, in place of the record that was seen or of one whose time is over.
     *
     * @return false: another record is in the way, which came in between
     * @throws IllegalStateException when the work ended the transaction
     */
    boolean record(ClaimRequest claim, int attempt, ExecutionEnd ending) throws SQLException;

    void commit() throws SQLException;

    /** Rolls back what was not committed, and gives the connection back; once. */
    @Override
    void close();
  }

  static IllegalStateException endedByWork() {
    return new IllegalStateException(
        "the work ended its transaction, so what it wrote may be committed without a record: let it not commit, roll back, close, or change the connection's automatic commits");
  }
}
