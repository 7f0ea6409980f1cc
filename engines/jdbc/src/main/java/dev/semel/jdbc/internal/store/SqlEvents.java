package dev.semel.jdbc.internal.store;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.event.EventLine;
import dev.semel.event.spi.EventStore;
import dev.semel.internal.PrintableText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The event log on any engine. Appends and trims take turns, so that lines become visible in the
 * order of their positions, which are the cursors.
 */
public final class SqlEvents implements EventStore {
  /** The most lines that one transaction removes, so that appends get their turn. */
  static final int MAX_TRIMMED_AT_ONCE = 10_000;

  private static final String LINES = "SELECT " + EventRows.COLUMNS + " FROM semel_event ";
  private static final String READ = LINES + "WHERE position > ? ORDER BY position LIMIT ?";
  private static final String LATEST = LINES + "ORDER BY position DESC LIMIT ?";

  private static final String OF_KEY = "WHERE tenant = ? AND operation = ? AND id = ?";
  private static final String ABOUT = LINES + OF_KEY + " ORDER BY position DESC LIMIT ?";
  private static final String ERASE =
      "UPDATE semel_event SET id = '', more = '', salt = '' " + OF_KEY;

  private static final String OLDEST =
      """
      SELECT position, appended_millis, writer, number, hash FROM semel_event
      ORDER BY position LIMIT ?""";

  private static final String COUNT = "SELECT count(*) FROM semel_event";
  private static final String TRIM = "DELETE FROM semel_event WHERE position <= ?";

  private static final String CHAINS =
      "SELECT writer, first_number, before_hash, last_number, last_hash FROM semel_chain";

  private static final String LAST = "SELECT last_number FROM semel_chain WHERE writer = ?";

  private static final String BEGIN_CHAIN =
      """
      INSERT INTO semel_chain (first_number, before_hash, last_number, last_hash, writer)
      VALUES (?, ?, ?, ?, ?)""";

  private static final String MOVE_END =
      "UPDATE semel_chain SET last_number = ?, last_hash = ? WHERE writer = ?";

  private static final String MOVE_BEGINNING =
      "UPDATE semel_chain SET first_number = ?, before_hash = ? WHERE writer = ?";

  private static final String END_CHAIN =
      "DELETE FROM semel_chain WHERE writer = ? AND last_number <= ?";

  private final SqlEngine engine;

  public SqlEvents(SqlEngine engine) {
    this.engine = engine;
  }

  @Override
  public void append(List<EventLine> lines) {
    if (!lines.isEmpty()) {
      engine.write("the events were not appended", db -> append(db, lines));
    }
  }

  private int append(StatementCache db, List<EventLine> lines) throws SQLException {
    long position = TransactionTurn.EVENTS.take(db, lines.size()) - lines.size();
    String writer = lines.getFirst().writer();
    Optional<Long> last = db.first(LAST, rs -> rs.getLong(1), writer);
    List<EventLine> fresh =
        lines.stream().filter(line -> line.number() > last.orElse(Long.MIN_VALUE)).toList();
    if (fresh.isEmpty()) {
      return 0;
    }
    long now = engine.nowMillis(db);
    List<Object[]> rows = new ArrayList<>();
    for (EventLine line : fresh) {
      rows.add(EventRows.values(line, ++position, now));
    }
    db.updateAll(EventRows.INSERT, rows);
    EventLine first = fresh.getFirst();
    EventLine end = fresh.getLast();
    if (last.isPresent()) {
      return db.update(MOVE_END, end.number(), end.hash(), writer);
    }
    return db.update(
        BEGIN_CHAIN, first.number(), first.previous(), end.number(), end.hash(), writer);
  }

  @Override
  public Page read(String cursor, int limit) {
    long after = cursor.isEmpty() ? 0 : position(cursor);
    int size = Math.clamp(limit, 1, MAX_PAGE);
    return engine.read("the events were not read", db -> read(db, after, size));
  }

  /**
   * A statement may see a turn but miss the one before it (MariaDB builds its list of active
   * writers step by step). The next statement sees it. So where positions are missing, this reads
   * again, and leaves anything beyond the first answer for the next read. Lines that are still
   * missing were trimmed or never written.
   */
  private static Page read(StatementCache db, long after, int size) throws SQLException {
    SortedMap<Long, EventLine> lines = lines(db, after, size);
    if (!lines.isEmpty() && lines.lastKey() - after > lines.size()) {
      lines = lines(db, after, size).headMap(lines.lastKey() + 1);
    }
    long next = lines.isEmpty() ? after : lines.lastKey();
    return new Page(List.copyOf(lines.values()), Long.toString(next));
  }

  private static SortedMap<Long, EventLine> lines(StatementCache db, long after, int size)
      throws SQLException {
    SortedMap<Long, EventLine> lines = new TreeMap<>();
    try (ResultSet rs = db.query(READ, after, size)) {
      while (rs.next()) {
        lines.put(EventRows.position(rs), EventRows.line(rs));
      }
    }
    return lines;
  }

  private static long position(String cursor) {
    try {
      return Long.parseLong(cursor);
    } catch (NumberFormatException e) {
      throw new InvalidInput(
          "%s is no cursor of this log: begin without one".formatted(PrintableText.quoted(cursor)));
    }
  }

  @Override
  public String end() {
    return Long.toString(engine.read("the log's end is unknown", TransactionTurn.EVENTS::position));
  }

  @Override
  public List<EventLine> latest(int limit) {
    return newest(LATEST, Math.clamp(limit, 1, MAX_PAGE));
  }

  @Override
  public List<EventLine> about(Key key, int limit) {
    return newest(
        ABOUT,
        key.tenant().name(),
        key.operation().name(),
        key.id(),
        Math.clamp(limit, 1, MAX_PAGE));
  }

  /** Reads from the newest line, and returns the lines oldest first. */
  private List<EventLine> newest(String sql, Object... values) {
    return engine.read(
        "the events were not read",
        db -> {
          List<EventLine> lines = new ArrayList<>();
          try (ResultSet rs = db.query(sql, values)) {
            while (rs.next()) {
              lines.add(EventRows.line(rs));
            }
          }
          Collections.reverse(lines);
          return List.copyOf(lines);
        });
  }

  @Override
  public Map<String, Chain> chains() {
    return engine.read(
        "the chains were not read",
        db -> {
          Map<String, Chain> chains = new HashMap<>();
          try (ResultSet rs = db.query(CHAINS)) {
            while (rs.next()) {
              chains.put(
                  rs.getString(1),
                  new Chain(rs.getLong(2), rs.getString(3), rs.getLong(4), rs.getString(5)));
            }
          }
          return chains;
        });
  }

  @Override
  public int erase(Key key) {
    return engine.write(
        "nothing was erased",
        db -> db.update(ERASE, key.tenant().name(), key.operation().name(), key.id()));
  }

  @Override
  public int trim(Duration age, long keep, int limit) {
    int most = Math.min(limit, MAX_TRIMMED_AT_ONCE);
    return most <= 0
        ? 0
        : engine.write("the events were not trimmed", db -> trim(db, age, keep, most));
  }

  /** The newest trimmed line of a writer. */
  private record Gone(long number, String hash) {}

  private int trim(StatementCache db, Duration age, long keep, int most) throws SQLException {
    TransactionTurn.EVENTS.take(db);
    long before = engine.nowMillis(db) - age.toMillis();
    long over = db.first(COUNT, rs -> rs.getLong(1)).orElseThrow() - keep;
    Map<String, Gone> gone = new HashMap<>();
    int trimmed = 0;
    long upTo = 0;
    try (ResultSet rs = db.query(OLDEST, most)) {
      while (rs.next() && (trimmed < over || rs.getLong(2) < before)) {
        upTo = rs.getLong(1);
        gone.put(rs.getString(3), new Gone(rs.getLong(4), rs.getString(5)));
        trimmed++;
      }
    }
    if (trimmed > 0) {
      db.update(TRIM, upTo);
      for (Map.Entry<String, Gone> entry : gone.entrySet()) {
        moveBeginning(db, entry.getKey(), entry.getValue());
      }
    }
    return trimmed;
  }

  private static void moveBeginning(StatementCache db, String writer, Gone gone)
      throws SQLException {
    if (db.update(END_CHAIN, writer, gone.number()) == 0) {
      db.update(MOVE_BEGINNING, gone.number() + 1, gone.hash(), writer);
    }
  }
}
