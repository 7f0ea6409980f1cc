package dev.semel.jdbc.internal.outbox;

import dev.semel.jdbc.internal.store.SqlEngine;
import dev.semel.jdbc.internal.store.StatementCache;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Keeps published messages for a while. */
final class OutboxHistory {
  /** The most parts that one heartbeat removes, so that it stays short. */
  static final int MAX_PARTS = 100;

  /** How long one heartbeat may go on starting parts. */
  private static final Duration PATIENCE = Duration.ofMillis(200);

  private static final String OLD =
      """
      SELECT place FROM semel_outbox_history WHERE since_millis < ?
      ORDER BY since_millis LIMIT\s"""
          + QueuePlaces.MAX_LISTED;

  private final SqlEngine engine;
  private final OutboxDialect sql;
  private final Duration keep;

  OutboxHistory(SqlEngine engine, OutboxDialect sql, Duration keep) {
    this.engine = engine;
    this.sql = sql;
    this.keep = keep;
  }

  boolean isKept() {
    return keep.isPositive();
  }

  /** Removes a part of the expired messages; later heartbeats remove the rest. */
  void forget() {
    if (!isKept()) {
      return;
    }
    long enough = System.nanoTime() + PATIENCE.toNanos();
    for (int part = 0; part < MAX_PARTS && System.nanoTime() < enough; part++) {
      if (engine.write("the history was not cleaned", this::forgetPart) < QueuePlaces.MAX_LISTED) {
        return;
      }
    }
  }

  private int forgetPart(StatementCache db) throws SQLException {
    long before = engine.nowMillis(db) - keep.toMillis();
    List<Long> old = new ArrayList<>();
    try (var rs = db.query(OLD + sql.lockingOthersSkipped(), before)) {
      while (rs.next()) {
        old.add(rs.getLong(1));
      }
    }
    if (!old.isEmpty()) {
      db.update(
          "DELETE FROM semel_outbox_history WHERE place " + QueuePlaces.in(old.size()),
          QueuePlaces.listed(old));
    }
    return old.size();
  }
}
