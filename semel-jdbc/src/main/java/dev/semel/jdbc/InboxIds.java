package dev.semel.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * How an engine's SQL handles many ids at once. Whoever records an id that another transaction has
 * recorded and not yet committed waits for that one's end.
 */
sealed interface InboxIds {
  /** It took effect, or is about to in the same transaction. */
  String DONE = "D";

  /** Its effect is outside the database, and nobody said yet how it ended. */
  String STARTED = "S";

  /** What was drawn for a transaction that records ids, and when it is. */
  record Mark(String consumer, String state, long taker, long offset) {}

  /**
   * Records those that are not there yet. In the order of the ids, so that two who have the same
   * ones wait for each other and do not get stuck.
   *
   * @return the new ones
   */
  Set<String> record(Statements db, Mark mark, Collection<String> ids) throws SQLException;

  /**
   * Deletes those that were recorded with the same mark.
   *
   * @return how many
   */
  int forget(Statements db, Mark mark, Collection<String> ids) throws SQLException;

  /** Deletes them, whoever recorded them. */
  int delete(Statements db, String consumer, Collection<String> ids) throws SQLException;

  /** PostgreSQL: an array is one parameter, so there is one statement for any number. */
  final class Arrays implements InboxIds {
    private static final String DELETE =
        "DELETE FROM semel_inbox WHERE consumer = ? AND id = ANY (?)";

    private final String record;

    Arrays(String clock) {
      this.record =
          """
          INSERT INTO semel_inbox (consumer, state, taker, seen_at, id)
          SELECT ?, ?, ?, %s + ?, unnest(?)
          ON CONFLICT (consumer, id) DO NOTHING RETURNING id"""
              .formatted(clock);
    }

    @Override
    public Set<String> record(Statements db, Mark mark, Collection<String> ids)
        throws SQLException {
      Object array = array(db, new TreeSet<>(ids));
      return new HashSet<>(
          db.all(
              record,
              rs -> rs.getString(1),
              mark.consumer(),
              mark.state(),
              mark.taker(),
              mark.offset(),
              array));
    }

    @Override
    public int forget(Statements db, Mark mark, Collection<String> ids) throws SQLException {
      return db.update(DELETE + " AND taker = ?", mark.consumer(), array(db, ids), mark.taker());
    }

    @Override
    public int delete(Statements db, String consumer, Collection<String> ids) throws SQLException {
      return db.update(DELETE, consumer, array(db, ids));
    }

    private static Object array(Statements db, Collection<String> ids) throws SQLException {
      return db.connection().createArrayOf("text", ids.toArray());
    }
  }

  /**
   * The others: as many rows as there are ids, so the statements are not kept. On MariaDB a
   * duplicate is left as it is, and comes back with the taker of who recorded it; how many rows
   * were changed can't be asked, because some connections count those that were found.
   */
  final class Lists implements InboxIds {
    private final String row;
    private final String onConflict;

    /** Says how the engine leaves a duplicate alone. */
    Lists(String clock, String onConflict) {
      this.row = "(?, ?, ?, %s + ?, ?)".formatted(clock);
      this.onConflict = onConflict;
    }

    @Override
    public Set<String> record(Statements db, Mark mark, Collection<String> ids)
        throws SQLException {
      Set<String> fresh = new HashSet<>();
      if (ids.isEmpty()) {
        return fresh;
      }
      List<Object> values = new ArrayList<>();
      for (String id : new TreeSet<>(ids)) {
        Collections.addAll(values, mark.consumer(), mark.state(), mark.taker(), mark.offset(), id);
      }
      int rows = values.size() / 5;
      String sql =
          "INSERT INTO semel_inbox (consumer, state, taker, seen_at, id) VALUES "
              + String.join(", ", Collections.nCopies(rows, row))
              + onConflict
              + " RETURNING id, taker";
      try (PreparedStatement statement = db.connection().prepareStatement(sql)) {
        Rows.bind(statement, values.toArray());
        try (ResultSet rs = statement.executeQuery()) {
          while (rs.next()) {
            if (rs.getLong(2) == mark.taker()) {
              fresh.add(rs.getString(1));
            }
          }
        }
      }
      return fresh;
    }

    @Override
    public int forget(Statements db, Mark mark, Collection<String> ids) throws SQLException {
      return delete(db, "AND taker = ?", List.of(mark.consumer(), mark.taker()), ids);
    }

    @Override
    public int delete(Statements db, String consumer, Collection<String> ids) throws SQLException {
      return delete(db, "", List.of(consumer), ids);
    }

    private static int delete(
        Statements db, String also, List<Object> before, Collection<String> ids)
        throws SQLException {
      if (ids.isEmpty()) {
        return 0;
      }
      List<Object> values = new ArrayList<>(before);
      values.addAll(ids);
      String places = String.join(", ", Collections.nCopies(ids.size(), "?"));
      String sql =
          "DELETE FROM semel_inbox WHERE consumer = ? %s AND id IN (%s)".formatted(also, places);
      try (PreparedStatement statement = db.connection().prepareStatement(sql)) {
        Rows.bind(statement, values.toArray());
        return statement.executeUpdate();
      }
    }
  }
}
