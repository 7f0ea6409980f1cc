package dev.semel.jdbc.internal.store;

import dev.semel.event.EventLine;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Converts lines of the event log to rows of {@code semel_event}, and back. */
final class EventRows {
  static final String COLUMNS =
      "position, writer, number, at_millis, kind, tenant, operation, details, id, more, salt,"
          + " commitment, previous_hash, hash";

  static final String INSERT =
      "INSERT INTO semel_event ("
          + COLUMNS
          + ", appended_millis) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

  private EventRows() {}

  static long position(ResultSet rs) throws SQLException {
    return rs.getLong(1);
  }

  static EventLine line(ResultSet rs) throws SQLException {
    return new EventLine(
        rs.getString(2),
        rs.getLong(3),
        rs.getLong(4),
        rs.getString(5),
        RecordRows.text(rs, 6),
        RecordRows.text(rs, 7),
        RecordRows.text(rs, 8),
        new EventLine.Personal(
            RecordRows.text(rs, 9), RecordRows.text(rs, 10), RecordRows.text(rs, 11)),
        rs.getString(12),
        rs.getString(13),
        rs.getString(14));
  }

  static Object[] values(EventLine line, long position, long appendedMillis) {
    return new Object[] {
      position,
      line.writer(),
      line.number(),
      line.atMillis(),
      line.kind(),
      line.tenant(),
      line.operation(),
      line.details(),
      line.personal().id(),
      line.personal().more(),
      line.personal().salt(),
      line.commitment(),
      line.previous(),
      line.hash(),
      appendedMillis
    };
  }
}
