package dev.semel.jdbc.internal.store;

import java.sql.SQLException;

/**
 * Serializes transactions: each keeps its turn until it ends. So others see the numbers that
 * transactions draw in their turns in ascending order.
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

  /**
   * Takes the turn as the first step of a transaction, so that it reads nothing from before its
   * turn.
   */
  void take(StatementCache db) throws SQLException {
    take(db, 0);
  }

  /**
   * Takes the turn and draws numbers.
   *
   * @return the last of them
   */
  long take(StatementCache db, int numbers) throws SQLException {
    db.update(TAKE, numbers, key);
    return position(db);
  }

  /** The last number that was drawn. */
  long position(StatementCache db) throws SQLException {
    return db.first(POSITION, rs -> rs.getLong(1), key).orElseThrow();
  }
}
