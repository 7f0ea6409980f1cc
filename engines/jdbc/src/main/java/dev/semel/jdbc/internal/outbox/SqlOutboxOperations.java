package dev.semel.jdbc.internal.outbox;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.internal.PrintableText;
import dev.semel.jdbc.OutboxParts;
import dev.semel.jdbc.OutboxSettings;
import dev.semel.jdbc.internal.store.RecordRows;
import dev.semel.jdbc.internal.store.SqlEngine;
import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.json.Json;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.outbox.spi.OutboxOperations;
import dev.semel.transport.Message;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The operators' view and actions, on any engine. Actions on many rows run in parts. */
public final class SqlOutboxOperations implements OutboxOperations {
  /** A dead or published message that was so at the given time. */
  private static final String OVER = "since_millis <= ?";

  /** A pending message that failed and waits for its retry. */
  private static final String PAUSES = "retry_millis > ?";

  private static final String ONE_DEAD =
      "SELECT place, attempts, %s FROM semel_outbox_dead WHERE id = ? AND destination = ? ORDER BY place LIMIT 1"
          .formatted(OutboxRows.MESSAGE);

  private static final String MEND = "UPDATE semel_outbox_dead SET payload = ? WHERE place = ?";

  private final SqlEngine engine;
  private final OutboxDialect sql;
  private final CommitNotifier bells;
  private final OutboxSettings settings;

  public SqlOutboxOperations(OutboxParts parts) {
    this.engine = parts.engine();
    this.sql = parts.sql();
    this.bells = parts.bells();
    this.settings = parts.settings();
  }

  @Override
  public Status status() {
    return engine.read(
        "the outbox's status is unknown", db -> OutboxStatus.read(db, engine.nowMillis(db)));
  }

  @Override
  public Page list(State state, Filter filter, String cursor, int limit) {
    OutboxTable from = OutboxTable.of(state);
    int size = Math.clamp(limit, 1, MAX_PAGE);
    OutboxTable.Choice choice = from.choose(filter, cursor.isEmpty() ? 0 : place(cursor));
    String query = query(from, choice);
    return engine.read(
        "the messages were not listed",
        db -> {
          List<Entry> entries = new ArrayList<>();
          try (ResultSet rs = db.query(query, choice.with(size + 1))) {
            while (rs.next()) {
              entries.add(entry(rs, state));
            }
          }
          boolean more = entries.size() > size;
          List<Entry> page = List.copyOf(more ? entries.subList(0, size) : entries);
          return new Page(page, more ? Long.toString(page.getLast().place()) : "");
        });
  }

  private static String query(OutboxTable from, OutboxTable.Choice choice) {
    return "SELECT place, id, destination, ordering_key, type, octet_length(payload), attempts, %s, reason, headers FROM %s WHERE %s ORDER BY place LIMIT ?"
        .formatted(from.since(), from.table(), choice.condition());
  }

  @Override
  public List<Entry> about(Key key, int limit) {
    int size = Math.clamp(limit, 1, MAX_PAGE);
    return engine.read(
        "the messages were not found",
        db -> {
          List<Entry> found = new ArrayList<>();
          for (State state : State.values()) {
            about(db, key, state, size, found);
          }
          return List.copyOf(found);
        });
  }

  /** Collations compare letters differently, so each match is checked again in Java. */
  private static void about(StatementCache db, Key key, State state, int size, List<Entry> found)
      throws SQLException {
    OutboxTable from = OutboxTable.of(state);
    OutboxTable.Choice choice =
        from.choose(Filter.ALL, 0).and("headers LIKE ? ESCAPE '!'", pattern(key));
    try (ResultSet rs = db.query(query(from, choice), choice.with(size - found.size()))) {
      while (rs.next()) {
        if (key.text().equals(OutboxRows.headers(RecordRows.text(rs, 10)).get(Message.SEMEL_KEY))) {
          found.add(entry(rs, state));
        }
      }
    }
  }

  private static String pattern(Key key) {
    String header = Json.object().with(Message.SEMEL_KEY, key.text()).write();
    String inside = header.substring(1, header.length() - 1);
    return "%" + inside.replaceAll("[!%_]", "!$0") + "%";
  }

  private static long place(String cursor) {
    try {
      return Long.parseLong(cursor);
    } catch (NumberFormatException e) {
      throw new InvalidInput(
          "%s is no cursor of this listing: use that of a page"
              .formatted(PrintableText.quoted(cursor)));
    }
  }

  private static Entry entry(ResultSet rs, State state) throws SQLException {
    return new Entry(
        rs.getLong(1),
        state,
        rs.getString(2),
        rs.getString(3),
        RecordRows.text(rs, 4),
        RecordRows.text(rs, 5),
        rs.getInt(6),
        rs.getInt(7),
        Instant.ofEpochMilli(rs.getLong(8)),
        RecordRows.text(rs, 9));
  }

  @Override
  public Optional<Message> read(String destination, String id) {
    return engine
        .read(
            "the dead letter was not read",
            db -> db.first(ONE_DEAD, OutboxRows::queued, id, destination))
        .map(OutboxEntry::message);
  }

  @Override
  public long retriable(Filter filter) {
    return engine.read(
        "the messages were not counted",
        db -> {
          long now = engine.nowMillis(db);
          return count(db, OutboxTable.DEAD, filter, OVER, now)
              + count(db, OutboxTable.PENDING, filter, PAUSES, now);
        });
  }

  private static long count(
      StatementCache db, OutboxTable table, Filter filter, String onlyWhat, long now)
      throws SQLException {
    OutboxTable.Choice choice = table.choose(filter, 0).and(onlyWhat, now);
    String query = "SELECT count(*) FROM %s WHERE %s".formatted(table.table(), choice.condition());
    return db.first(query, rs -> rs.getLong(1), choice.with()).orElseThrow();
  }

  @Override
  public long retry(Filter filter) {
    long dead =
        inParts(
            OutboxTable.DEAD,
            filter,
            OVER,
            (db, places, now) -> {
              requeue(db, OutboxTable.DEAD, places, now, "id");
              delete(db, OutboxTable.DEAD, places);
            });
    long failing =
        inParts(
            OutboxTable.PENDING,
            filter,
            PAUSES,
            (db, places, now) ->
                db.update(
                    "UPDATE semel_outbox SET retry_millis = ? WHERE place "
                        + QueuePlaces.in(places.size()),
                    new OutboxTable.Choice("", List.of(now)).with(QueuePlaces.listed(places))));
    bells.ring();
    return dead + failing;
  }

  /**
   * Edits the dead letter and then moves it in one transaction, so no reader sees the state
   * between.
   */
  @Override
  public boolean retry(String destination, String id, byte[] payload) {
    PayloadLimit.check(settings, id, payload);
    boolean went =
        engine.write(
            "the dead letter was not given back",
            db -> {
              Optional<OutboxEntry> dead =
                  db.first(ONE_DEAD + sql.locking(), OutboxRows::queued, id, destination);
              if (dead.isEmpty()) {
                return false;
              }
              List<Long> place = List.of(dead.get().place());
              db.update(MEND, payload, dead.get().place());
              requeue(db, OutboxTable.DEAD, place, engine.nowMillis(db), "id");
              delete(db, OutboxTable.DEAD, place);
              return true;
            });
    bells.ring();
    return went;
  }

  @Override
  public long replay(Filter filter, boolean newIds) {
    long replayed =
        inParts(
            OutboxTable.PUBLISHED,
            filter,
            OVER,
            (db, places, now) -> {
              requeue(db, OutboxTable.PUBLISHED, places, now, newIds ? sql.newId() : "id");
              if (!newIds) { // all at once, otherwise an audit still finds the first ids
                delete(db, OutboxTable.PUBLISHED, places);
              }
            });
    bells.ring();
    return replayed;
  }

  @Override
  public long purge(State state, Filter filter) {
    if (state == State.PENDING) {
      throw new InvalidInput(
          "messages that were not sent are never purged: name those that are dead or published");
    }
    OutboxTable table = OutboxTable.of(state);
    return inParts(table, filter, OVER, (db, places, now) -> delete(db, table, places));
  }

  /** An action on rows that the transaction has locked. */
  @FunctionalInterface
  private interface Part {
    void run(StatementCache db, List<Long> places, long now) throws SQLException;
  }

  /** Selects only what matched when it began, so it ends although new rows arrive. */
  private long inParts(OutboxTable table, Filter filter, String onlyWhat, Part part) {
    long begun = engine.read("the clock is unknown", engine::nowMillis);
    long done = 0;
    long after = 0;
    while (true) {
      OutboxTable.Choice choice = table.choose(filter, after).and(onlyWhat, begun);
      List<Long> places = engine.write("not all was done", db -> run(db, table, choice, part));
      done += places.size();
      if (places.size() < QueuePlaces.MAX_LISTED) {
        return done;
      }
      after = places.getLast();
    }
  }

  private List<Long> run(StatementCache db, OutboxTable table, OutboxTable.Choice choice, Part part)
      throws SQLException {
    String query =
        "SELECT place FROM %s WHERE %s ORDER BY place LIMIT ?%s"
            .formatted(table.table(), choice.condition(), sql.locking());
    List<Long> places = new ArrayList<>();
    try (ResultSet rs = db.query(query, choice.with(QueuePlaces.MAX_LISTED))) {
      while (rs.next()) {
        places.add(rs.getLong(1));
      }
    }
    if (!places.isEmpty()) {
      part.run(db, places, engine.nowMillis(db));
    }
    return places;
  }

  /** Moves rows to the end of their former partition, which is their ordering key's partition. */
  private void requeue(StatementCache db, OutboxTable from, List<Long> places, long now, String id)
      throws SQLException {
    sql.draw(db, places.size());
    db.update(
        """
        INSERT INTO semel_outbox (place, %s, created_millis, attempts)
        SELECT place - place %% %d + %s, %s, destination, ordering_key, type, payload, headers, ?, 0
        FROM %s WHERE place %s ORDER BY place"""
            .formatted(
                OutboxRows.MESSAGE,
                QueuePlaces.PER_PARTITION,
                sql.next(),
                id,
                from.table(),
                QueuePlaces.in(places.size())),
        new OutboxTable.Choice("", List.of(now)).with(QueuePlaces.listed(places)));
  }

  private static void delete(StatementCache db, OutboxTable from, List<Long> places)
      throws SQLException {
    db.update(
        "DELETE FROM " + from.table() + " WHERE place " + QueuePlaces.in(places.size()),
        QueuePlaces.listed(places));
  }
}
