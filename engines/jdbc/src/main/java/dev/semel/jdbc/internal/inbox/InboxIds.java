package dev.semel.jdbc.internal.inbox;

import dev.semel.inbox.MessageTooOld;
import dev.semel.jdbc.internal.store.RecordRows;
import dev.semel.jdbc.internal.store.StatementCache;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * An engine's SQL for many ids at once. A transaction that records an id which another one has
 * recorded but not committed waits for that one's end.
 */
public sealed interface InboxIds {
  /** The message took effect, or will in the same transaction. */
  String DONE = "D";

  /** The effect is outside the database, and its end is not recorded yet. */
  String STARTED = "S";

  /**
   * The result of recording ids.
   *
   * @param fresh the new ones
   * @param tooOld new ids from before the horizon, which were not recorded
   * @param horizon the end of the dropped ids' time, in milliseconds since the epoch
   */
  record Recorded(Set<String> fresh, Set<String> tooOld, long horizon) {
    static Recorded of(Set<String> fresh) {
      return new Recorded(fresh, Set.of(), 0);
    }

    public MessageTooOld refusal(String id) {
      return new MessageTooOld(id, Instant.ofEpochMilli(horizon));
    }
  }

  /** Identifies a transaction that records ids, with its time. */
  record Mark(String consumer, String state, long taker, long offset) {}

  /**
   * Records the ids that are new. Sorts them, so that two transactions with the same ids wait for
   * each other without a deadlock.
   *
   * @return the new ids
   */
  Recorded record(StatementCache db, Mark mark, Collection<String> ids) throws SQLException;

  /**
   * Deletes ids that were recorded with the same mark.
   *
   * @return how many
   */
  int forget(StatementCache db, Mark mark, Collection<String> ids) throws SQLException;

  /** Deletes ids, whatever their mark. */
  int delete(StatementCache db, String consumer, Collection<String> ids) throws SQLException;

  /** PostgreSQL: an array is one parameter, so one statement serves any number of ids. */
  final class Arrays implements InboxIds {
    private static final String DELETE =
        "DELETE FROM semel_inbox WHERE consumer = ? AND id = ANY (?)";

    /**
     * Locks the row: a transaction with an older snapshot fails and repeats, instead of deciding
     * wrongly.
     */
    private static final String HORIZON = "SELECT horizon FROM semel_inbox_partitioning FOR SHARE";

    private final String record;

    Arrays(String clock) {
      this.record =
          """
          INSERT INTO semel_inbox (consumer, state, taker, seen_at, id)
          SELECT ?, ?, ?, %s + ?, unnest(?)
          ON CONFLICT (consumer, id) DO NOTHING
          RETURNING id, tableoid = (SELECT to_regclass('%s')::oid)"""
              .formatted(clock, InboxPartitionTables.DEFAULT);
    }

    /**
     * An id in a partition of its time is new, because that time was not dropped and can't be
     * before this transaction ends. The time of an id in the default partition may have been
     * dropped.
     */
    @Override
    public Recorded record(StatementCache db, Mark mark, Collection<String> ids)
        throws SQLException {
      Object array = array(db, new TreeSet<>(ids));
      Set<String> inDefault = new HashSet<>();
      Set<String> fresh =
          new HashSet<>(
              db.all(
                  record,
                  rs -> {
                    String id = rs.getString(1);
                    if (rs.getBoolean(2) && InboxPartitionTables.isUuid7(id)) {
                      inDefault.add(id);
                    }
                    return id;
                  },
                  mark.consumer(),
                  mark.state(),
                  mark.taker(),
                  mark.offset(),
                  array));
      return inDefault.isEmpty() ? Recorded.of(fresh) : checked(db, mark, fresh, inDefault);
    }

    private Recorded checked(StatementCache db, Mark mark, Set<String> fresh, Set<String> inDefault)
        throws SQLException {
      long horizon = db.first(HORIZON, rs -> rs.getLong(1)).orElse(0L);
      String bound = InboxPartitionTables.bound(horizon);
      Set<String> tooOld = new HashSet<>(inDefault);
      tooOld.removeIf(id -> id.compareTo(bound) >= 0);
      if (!tooOld.isEmpty()) {
        forget(db, mark, tooOld);
        fresh.removeAll(tooOld);
      }
      return new Recorded(fresh, tooOld, horizon);
    }

    @Override
    public int forget(StatementCache db, Mark mark, Collection<String> ids) throws SQLException {
      return db.update(DELETE + " AND taker = ?", mark.consumer(), array(db, ids), mark.taker());
    }

    @Override
    public int delete(StatementCache db, String consumer, Collection<String> ids)
        throws SQLException {
      return db.update(DELETE, consumer, array(db, ids));
    }

    private static Object array(StatementCache db, Collection<String> ids) throws SQLException {
      return db.connection().createArrayOf("text", ids.toArray());
    }
  }

  /**
   * The other engines: one row per id, so the statements are not cached. On MariaDB a duplicate
   * stays unchanged and comes back with the taker that recorded it; row counts are useless, because
   * some connections count matched rows.
   */
  final class Lists implements InboxIds {
    private final String row;
    private final String onConflict;

    /** Takes the clause with which the engine leaves duplicates unchanged. */
    public Lists(String clock, String onConflict) {
      this.row = "(?, ?, ?, %s + ?, ?)".formatted(clock);
      this.onConflict = onConflict;
    }

    @Override
    public Recorded record(StatementCache db, Mark mark, Collection<String> ids)
        throws SQLException {
      Set<String> fresh = new HashSet<>();
      if (ids.isEmpty()) {
        return Recorded.of(fresh);
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
        RecordRows.bind(statement, values.toArray());
        try (ResultSet rs = statement.executeQuery()) {
          while (rs.next()) {
            if (rs.getLong(2) == mark.taker()) {
              fresh.add(rs.getString(1));
            }
          }
        }
      }
      return Recorded.of(fresh);
    }

    @Override
    public int forget(StatementCache db, Mark mark, Collection<String> ids) throws SQLException {
      return delete(db, "AND taker = ?", List.of(mark.consumer(), mark.taker()), ids);
    }

    @Override
    public int delete(StatementCache db, String consumer, Collection<String> ids)
        throws SQLException {
      return delete(db, "", List.of(consumer), ids);
    }

    private static int delete(
        StatementCache db, String also, List<Object> before, Collection<String> ids)
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
        RecordRows.bind(statement, values.toArray());
        return statement.executeUpdate();
      }
    }
  }
}
