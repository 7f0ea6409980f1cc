package dev.semel.jdbc.internal.inbox;

import dev.semel.InvalidInput;
import dev.semel.Operation;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.internal.PrintableText;
import dev.semel.jdbc.internal.store.RecordRows;
import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.transport.Message;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** An operator's view of the inbox, on any engine. */
public final class SqlInboxOperations implements InboxOperations {
  private static final String PENDING = "semel_inbox_message";
  private static final String DEAD = "semel_inbox_dead";

  private static final String LIST =
      "SELECT "
          + StoredMessages.LISTED
          + "%s, reason FROM %s"
          + " WHERE consumer = ? AND place > ? ORDER BY place LIMIT ?";

  private static final String IN_DOUBT =
      """
      SELECT 0, id, '-', NULL, NULL, 0, 1, seen_at, NULL FROM semel_inbox
      WHERE consumer = ? AND state = 'S' AND id > ? ORDER BY id LIMIT ?""";

  private static final String PLACES =
      "SELECT place FROM semel_inbox_dead WHERE consumer = ? ORDER BY place LIMIT ?";

  private static final String PLACE =
      "SELECT place FROM semel_inbox_dead WHERE consumer = ? AND id = ?";

  private static final String MEND = "UPDATE semel_inbox_dead SET payload = ? WHERE place = ?";

  private static final String REMOVE_DEAD = "DELETE FROM semel_inbox_dead WHERE place = ?";

  /** True for an id {@code i} without a waiting or dead message. */
  public static final String FREE =
      """
      NOT EXISTS (SELECT 1 FROM semel_inbox_message m
          WHERE m.consumer = i.consumer AND m.id = i.id)
        AND NOT EXISTS (SELECT 1 FROM semel_inbox_dead d
          WHERE d.consumer = i.consumer AND d.id = i.id)""";

  private static final String IS_FREE =
      "SELECT 1 FROM semel_inbox i WHERE consumer = ? AND id = ? AND " + FREE;

  private final InboxEngine engine;

  public SqlInboxOperations(InboxEngine engine) {
    this.engine = engine;
  }

  @Override
  public Status status() {
    return engine.read("the inbox's state is unknown", db -> InboxStatus.read(db, engine));
  }

  @Override
  public SortedMap<String, Long> deadLetters() {
    return engine.read("the dead letters were not counted", InboxStatus::dead);
  }

  @Override
  public Page list(String consumer, State state, String cursor, int limit) {
    int size = Math.clamp(limit, 1, MAX_PAGE);
    String name = checked(consumer);
    return switch (state) {
      case PENDING -> list(state, LIST.formatted("received_at", PENDING), name, cursor, size);
      case DEAD -> list(state, LIST.formatted("died_at", DEAD), name, cursor, size);
      case IN_DOUBT -> page(state, IN_DOUBT, name, cursor, size);
    };
  }

  private Page list(State state, String sql, String consumer, String cursor, int size) {
    try {
      return page(state, sql, consumer, cursor.isEmpty() ? 0 : Long.parseLong(cursor), size);
    } catch (NumberFormatException e) {
      throw new InvalidInput(
          "the cursor %s is none of this listing: take the one of the page before"
              .formatted(PrintableText.quoted(cursor)));
    }
  }

  /** Listings by place continue after the last place, others after the last id. */
  private Page page(State state, String sql, String consumer, Object after, int size) {
    return engine.read(
        "the messages were not listed",
        db -> {
          List<String> cursors = new ArrayList<>();
          List<Entry> entries =
              db.all(
                  sql,
                  rs -> {
                    cursors.add(state == State.IN_DOUBT ? rs.getString(2) : rs.getString(1));
                    return StoredMessages.entry(rs, state);
                  },
                  consumer,
                  after,
                  size);
          return new Page(entries, entries.size() < size ? "" : cursors.getLast());
        });
  }

  @Override
  public Optional<Message> find(String consumer, String id) {
    return engine.read(
        "the message was not found",
        db -> {
          for (String table : List.of(PENDING, DEAD)) {
            Optional<Message> found =
                db.first(
                    "SELECT %s FROM %s WHERE consumer = ? AND id = ?"
                        .formatted(StoredMessages.MESSAGE, table),
                    rs -> StoredMessages.message(rs, 1),
                    checked(consumer),
                    id);
            if (found.isPresent()) {
              return found;
            }
          }
          return Optional.empty();
        });
  }

  @Override
  public long retry(String consumer) {
    String revive = StoredMessages.revive(engine.clock());
    return dead(
        consumer,
        (db, places) -> {
          for (long place : places) {
            db.update(revive, engine.offset(), place); // MariaDB rejects such a batch
          }
        });
  }

  @Override
  public boolean retry(String consumer, String id) {
    String name = checked(consumer);
    String revive = StoredMessages.revive(engine.clock());
    String freed = StoredMessages.free(engine.clock());
    return engine.transact(
        "the message was not given back to its workers",
        db -> {
          Optional<Long> dead = db.first(PLACE + engine.locking(), rs -> rs.getLong(1), name, id);
          if (dead.isEmpty()) {
            return db.update(freed, engine.offset(), name, id) > 0;
          }
          db.update(revive, engine.offset(), dead.get());
          return db.update(REMOVE_DEAD, dead.get()) > 0;
        });
  }

  /**
   * Edits the dead letter and then moves it in one transaction, so no reader sees the state
   * between.
   */
  @Override
  public boolean retry(String consumer, String id, byte[] payload) {
    String name = checked(consumer);
    if (payload.length > MAX_EDITED_BYTES) {
      throw new InvalidInput(
          "the payload is %d bytes long and the limit is %d (MAX_EDITED_BYTES): keep the content elsewhere and say where it is"
              .formatted(payload.length, MAX_EDITED_BYTES));
    }
    String revive = StoredMessages.revive(engine.clock());
    return engine.transact(
        "the dead letter was not given back to its workers",
        db -> {
          Optional<Long> dead = db.first(PLACE + engine.locking(), rs -> rs.getLong(1), name, id);
          if (dead.isEmpty()) {
            return false;
          }
          db.update(MEND, payload, dead.get());
          db.update(revive, engine.offset(), dead.get());
          return db.update(REMOVE_DEAD, dead.get()) > 0;
        });
  }

  @Override
  public long purgeDead(String consumer) {
    return dead(consumer, (db, places) -> {});
  }

  /** An action on dead letters before they leave their table. */
  @FunctionalInterface
  private interface Before {
    void run(StatementCache db, List<Long> places) throws SQLException;
  }

  private long dead(String consumer, Before before) {
    String name = checked(consumer);
    return RecordRows.inParts(
        Integer.MAX_VALUE,
        part ->
            engine.transact(
                "the dead letters were not moved",
                db -> {
                  List<Long> places =
                      db.all(PLACES + engine.skipLocked(), rs -> rs.getLong(1), name, part);
                  if (!places.isEmpty()) {
                    before.run(db, places);
                    List<Object[]> rows = new ArrayList<>();
                    places.forEach(place -> rows.add(new Object[] {place}));
                    db.updateAll(REMOVE_DEAD, rows);
                  }
                  return places.size();
                }));
  }

  /** Selects ids that are old by the engine's clock. */
  private String old() {
    return """
        FROM semel_inbox i WHERE consumer = ? AND state = 'D' AND seen_at < %s + ?
          AND %s"""
        .formatted(engine.clock(), FREE);
  }

  @Override
  public long old(String consumer, Duration olderThan) {
    String name = checked(consumer);
    String count = "SELECT count(*) " + old();
    return engine.read(
        "the old ids were not counted",
        db ->
            db.first(count, rs -> rs.getLong(1), name, engine.offset() - olderThan.toMillis())
                .orElseThrow());
  }

  @Override
  public long purge(String consumer, Duration olderThan, int limit) {
    String name = checked(consumer);
    String oldest = "SELECT id " + old() + " ORDER BY seen_at LIMIT ?";
    return RecordRows.inParts(
        limit,
        part ->
            engine.transact(
                "the old ids were not deleted",
                db -> {
                  List<String> ids =
                      db.all(
                          oldest,
                          rs -> rs.getString(1),
                          name,
                          engine.offset() - olderThan.toMillis(),
                          part);
                  return ids.isEmpty() ? 0 : engine.ids().delete(db, name, ids);
                }));
  }

  @Override
  public boolean forget(String consumer, String id) {
    String name = checked(consumer);
    return engine.transact(
        "the id was not forgotten",
        db ->
            db.first(IS_FREE, rs -> true, name, id).isPresent()
                && engine.ids().delete(db, name, List.of(id)) > 0);
  }

  @Override
  public List<String> diagnose() {
    return engine.read("the inbox was not examined", db -> InboxStatus.diagnose(db, engine));
  }

  private static String checked(String consumer) {
    return new Operation(consumer).name();
  }
}
