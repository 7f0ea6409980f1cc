package dev.semel.jdbc.internal.inbox;

import java.sql.SQLException;

/**
 * Detects, without asking the server, whether a transaction may have ended since it began. It
 * notices every commit or rollback, whatever sent it. The transaction starts with a savepoint.
 */
@FunctionalInterface
public interface TransactionWatch {
  String SAVEPOINT = "SAVEPOINT semel_batch";

  /** False: the transaction may have ended; check whether the savepoint still exists. */
  boolean holds() throws SQLException;
}
