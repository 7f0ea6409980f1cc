package dev.semel.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks for what should have been told and was not. One statement looks at one moment, so a message
 * that is being published meanwhile is seen either in the queue or in the history.
 */
final class OutboxAudit {
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
    return engine.read("the audit failed", db -> ids(db, audit, limit));
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
    }
    return ids;
  }
}
