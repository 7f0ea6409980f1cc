package dev.semel.jdbc.internal.inbox;

import java.sql.SQLException;

/**
 * Knows, without asking the server, whether a transaction may have ended since it was begun: no
 * commit or rollback escapes it, whoever sent it and however. Where it began there is a savepoint.
 */
@FunctionalInterface
public interface TransactionWatch {
  String SAVEPOINT = "SAVEPOINT semel_batch";

  /** False: it may have ended; whether the savepoint is still there tells. */
  boolean holds() throws SQLException;
}
