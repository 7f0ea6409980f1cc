package dev.semel.jdbc;

import dev.semel.InvalidInput;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Looks for what should have been told and was not. One statement looks at one moment, so a message
 * that is being published meanwhile is seen either in the queue or in the history. The query is
 * someone else's, so it runs where nothing can be written: a mistake in it changes nothing.
 */
final class OutboxAudit {
  private static final int SQLITE_ERROR = 1;
  private static final int SQLITE_MISMATCH = 20;
  private static final int SQLITE_READONLY = 8;
  private static final int SQLITE_PRIMARY = 0xff;
  private static final String READ_ONLY_TRANSACTION = "25006";

  /** The first digits of SQL states: parameters, cardinality, data, syntax. */
  private static final Set<String> WRONG_QUERY = Set.of("07", "21", "22", "42");

  private final Engine engine;
  private final OutboxDialect sql;

  OutboxAudit(OutboxParts parts) {
    this.engine = parts.engine();
    this.sql = parts.sql();
  }

  List<String> missing(String query, int limit) {
    String id = sql.comparable("e.id");
    StringBuilder text =
        new StringBuilder("WITH expected (id) AS (\n%s\n) ".formatted(query))
            .append("SELECT DISTINCT %s FROM expected e WHERE e.id IS NOT NULL".formatted(id));
    for (OutboxTable table : OutboxTable.values()) {
      text.append(
          " AND NOT EXISTS (SELECT 1 FROM %s t WHERE t.id = %s)".formatted(table.table(), id));
    }
    String audit = text.append(" LIMIT ?").toString();
    return sql.looking(engine, db -> ids(db, audit, limit));
  }

  private static List<String> ids(Statements db, String query, int limit) throws SQLException {
    List<String> ids = new ArrayList<>();
    // Not among those that are kept prepared: the text is the caller's, and there may be many.
    try (PreparedStatement statement = db.connection().prepareStatement(query)) {
      statement.setInt(1, limit);
      try (ResultSet rs = statement.executeQuery()) {
        while (rs.next()) {
          ids.add(rs.getString(1));
        }
      }
    } catch (SQLException e) {
      if (wouldWrite(e)) {
        throw new InvalidInput(
            "the query writes (%s), and an audit only looks: select the ids"
                .formatted(e.getMessage()));
      }
      if (meansTheQuery(e)) {
        throw new InvalidInput(
            "the query can't be run (%s): it must select ids in one column, without parameters"
                .formatted(e.getMessage()));
      }
      throw e;
    }
    return ids;
  }

  private static boolean wouldWrite(SQLException e) {
    String state = Faults.state(e);
    return state.isEmpty()
        ? (e.getErrorCode() & SQLITE_PRIMARY) == SQLITE_READONLY
        : state.equals(READ_ONLY_TRANSACTION);
  }

  /** Rather than the database. SQLite has no states, and few codes. */
  private static boolean meansTheQuery(SQLException e) {
    String state = Faults.state(e);
    return state.isEmpty()
        ? e.getErrorCode() == SQLITE_ERROR || e.getErrorCode() == SQLITE_MISMATCH
        : WRONG_QUERY.contains(state.substring(0, Math.min(2, state.length())));
  }
}
