package dev.semel.jdbc.internal.store;

import java.sql.SQLException;

/**
 * Lets transactions follow each other: whoever takes a turn keeps it until its transaction ends.
 * What they number in their turns is therefore seen by others in the order of the numbers.
 */
public enum TransactionTurn {
  EVENTS("events"),
  SETTINGS("settings"),
  STATISTICS("statistics");

  private static final String TAKE = "UPDATE semel_turn SET position = position + ? WHERE name = ?";
  private static final String POSITION = "SELECT position FROM semel_turn WHERE name = ?";

  private final String key;

  TransactionTurn(String key) {
    this.key = key;
  }

  /** The first thing in a transaction, so that nothing it reads was seen before its turn. */
  void take(StatementCache db) throws SQLException {
    take(db, 0);
  }

  /**
   * The same, with some numbers of its own.
   *
   * @return the last of them
   */
  long take(StatementCache db, int numbers) throws SQLException {
    db.update(TAKE, numbers, key);
    return position(db);
  }

  /** The last number that was given to anyone. */
  long position(StatementCache db) throws SQLException {
    return db.first(POSITION, rs -> rs.getLong(1), key).orElseThrow();
  }
}
