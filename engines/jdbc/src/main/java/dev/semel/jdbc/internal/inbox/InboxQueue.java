package dev.semel.jdbc.internal.inbox;

import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.transport.Message;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The workers' queue of stored messages. Every change compares the lease's owner. */
public final class InboxQueue {
  /** A message under a lease. */
  public record Claimed(long place, long owner, int attempts, Message message) {}

  private static final String OWN = " WHERE place = ? AND owner = ?";

  private static final String REMOVE = "DELETE FROM semel_inbox_message" + OWN;

  private static final String BEFORE =
      """
      SELECT 1 FROM semel_inbox_message
      WHERE consumer = ? AND ordering_key = ? AND place < ? LIMIT 1""";

  private static final String GIVE_BACK =
      "UPDATE semel_inbox_message SET owner = 0, lease_until = 0, attempts = attempts - 1" + OWN;

  private final InboxEngine engine;
  private final String due;
  private final String take;
  private final String delay;
  private final String bury;

  public InboxQueue(InboxEngine engine) {
    String clock = engine.clock();
    this.engine = engine;
    this.due =
        """
        SELECT place, attempts, %1$s FROM semel_inbox_message m
        WHERE consumer = ? AND due_at <= %2$s + ? AND lease_until <= %2$s + ?
          AND (ordering_key IS NULL OR NOT EXISTS (SELECT 1 FROM semel_inbox_message e
            WHERE e.consumer = m.consumer AND e.ordering_key = m.ordering_key
              AND e.place < m.place))
        ORDER BY place LIMIT ?%3$s"""
            .formatted(StoredMessages.MESSAGE, clock, engine.skipLocked());
    this.take =
        """
        UPDATE semel_inbox_message SET owner = ?, lease_until = %s + ?, attempts = attempts + 1
        WHERE place = ?"""
            .formatted(clock);
    this.delay =
        """
        UPDATE semel_inbox_message SET owner = 0, lease_until = 0, due_at = %s + ?, reason = ?"""
                .formatted(clock)
            + OWN;
    this.bury = StoredMessages.bury(clock) + engine.locking();
  }

  /**
   * Takes due messages, in order. Counts the attempt now, so that a message which kills its worker
   * each time also becomes a dead letter.
   */
  public List<Claimed> claim(
      StatementCache db, String consumer, long owner, Duration lease, int limit)
      throws SQLException {
    long now = engine.offset();
    List<Claimed> claimed =
        db.all(
            due,
            rs ->
                new Claimed(rs.getLong(1), owner, rs.getInt(2) + 1, StoredMessages.message(rs, 3)),
            consumer,
            now,
            now,
            limit);
    List<Object[]> rows = new ArrayList<>();
    for (Claimed each : claimed) {
      rows.add(new Object[] {owner, now + lease.toMillis(), each.place()});
    }
    if (!rows.isEmpty()) {
      db.updateAll(take, rows);
    }
    return claimed;
  }

  /**
   * Checks again after the claim: MariaDB's locking reads see newer rows than the earlier check,
   * and an older message may have appeared in between.
   */
  public boolean isBehindAnother(StatementCache db, String consumer, Claimed claimed)
      throws SQLException {
    return claimed.message().ordered()
        && db.first(BEFORE, rs -> true, consumer, claimed.message().orderingKey(), claimed.place())
            .isPresent();
  }

  /**
   * Removes the message.
   *
   * @return false when another worker has or had it
   */
  public boolean remove(StatementCache db, Claimed claimed) throws SQLException {
    return db.update(REMOVE, claimed.place(), claimed.owner()) == 1;
  }

  /** Schedules a retry after the pause. */
  public boolean delay(StatementCache db, Claimed claimed, String reason, Duration pause)
      throws SQLException {
    return db.update(
            delay, engine.offset() + pause.toMillis(), reason, claimed.place(), claimed.owner())
        == 1;
  }

  /** Locks the row while moving it: a worker that took it in between would handle a dead letter. */
  public boolean bury(StatementCache db, Claimed claimed, String reason) throws SQLException {
    return db.update(bury, reason, engine.offset(), claimed.place(), claimed.owner()) == 1
        && remove(db, claimed);
  }

  /** Returns messages that were not tried. */
  public int giveBack(StatementCache db, List<Claimed> claimed) throws SQLException {
    List<Object[]> rows = new ArrayList<>();
    claimed.forEach(each -> rows.add(new Object[] {each.place(), each.owner()}));
    db.updateAll(GIVE_BACK, rows);
    return rows.size();
  }
}
