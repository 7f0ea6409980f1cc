package dev.semel.jdbc.internal.outbox;

import dev.semel.StoreException;
import dev.semel.internal.PrintableText;
import dev.semel.jdbc.OutboxParts;
import dev.semel.jdbc.internal.store.RecordRows;
import dev.semel.jdbc.internal.store.SqlEngine;
import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.outbox.RelayCounts;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.outbox.spi.PartitionAssignment;
import dev.semel.outbox.spi.ReadRange;
import dev.semel.outbox.spi.RetryingEntry;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The relays' store on any engine: frequent calls use separate connections, the others use the
 * engine's usual way.
 */
public final class SqlOutboxStore implements OutboxStore, AutoCloseable {
  /**
   * The most failing messages that reads exclude; others are read as usual, and so retried early.
   */
  static final int MAX_RETRYING = 10_000;

  /** A longer reason is cut. */
  static final int MAX_REASON_LENGTH = 1000;

  private static final String FAILED =
      "UPDATE semel_outbox SET attempts = ?, retry_millis = ?, reason = ? WHERE place = ?";

  private static final String BURY =
      """
      INSERT INTO semel_outbox_dead (place, %1$s, attempts, created_millis, reason, since_millis)
      SELECT place, %1$s, ?, created_millis, ?, ? FROM semel_outbox WHERE place = ?"""
          .formatted(OutboxRows.MESSAGE);

  private static final String DELETE = "DELETE FROM semel_outbox WHERE place = ?";

  private final SqlEngine engine;
  private final OutboxDialect sql;
  private final PartitionOwners owners;
  private final OutboxHistory history;
  private final CommitNotifier bells;
  private final CallQueue reading;
  private final CallQueue writing;
  private final String description;

  public SqlOutboxStore(OutboxParts parts) {
    this.engine = parts.engine();
    this.sql = parts.sql();
    this.owners = new PartitionOwners(engine, sql);
    this.history = new OutboxHistory(engine, sql, parts.settings().keepHistory());
    this.bells = parts.bells();
    this.reading = parts.reading();
    this.writing = parts.writing();
    this.description = parts.description();
  }

  @Override
  public String describe() {
    return description;
  }

  @Override
  public PartitionAssignment heartbeat(String relay, Duration lease, RelayCounts counts) {
    OutboxStore.requireRelay(relay, lease);
    PartitionAssignment assignment =
        engine.write(
            "the relay's heartbeat failed",
            db -> owners.heartbeat(db, relay, lease.toMillis(), counts));
    try {
      history.forget();
    } catch (StoreException e) {
      // The next heartbeat tries again; this heartbeat's own result counts.
    }
    return assignment;
  }

  @Override
  public void release(String relay, Set<Integer> partitions) {
    if (!partitions.isEmpty()) {
      engine.write("the partitions were not released", db -> owners.release(db, relay, partitions));
    }
  }

  @Override
  public void leave(String relay) {
    engine.write("the relay did not leave", db -> owners.leave(db, relay));
  }

  @Override
  public List<OutboxEntry> read(List<ReadRange> slices, int limitEach) {
    if (slices.isEmpty() || limitEach < 1) {
      return List.of();
    }
    int limit = QueueReading.limit(limitEach, slices.size());
    return reading.run("the messages were not read", db -> sql.read(db, slices, limit));
  }

  @Override
  public List<RetryingEntry> retrying(Set<Integer> partitions) {
    if (partitions.isEmpty()) {
      return List.of();
    }
    List<Long> bases = partitions.stream().map(QueuePlaces::base).toList();
    // Sorted like the partial index of failing messages, so that no plan reads the others.
    String query =
        """
        SELECT place, ordering_key, retry_millis FROM semel_outbox
        WHERE retry_millis > 0 AND place - place %% %d %s ORDER BY retry_millis LIMIT %d"""
            .formatted(QueuePlaces.PER_PARTITION, QueuePlaces.in(bases.size()), MAX_RETRYING);
    return reading.run("the failing messages were not read", db -> retrying(db, query, bases));
  }

  private List<RetryingEntry> retrying(StatementCache db, String query, List<Long> bases)
      throws SQLException {
    long now = engine.nowMillis(db);
    List<RetryingEntry> failing = new ArrayList<>();
    try (ResultSet rs = db.query(query, QueuePlaces.listed(bases))) {
      while (rs.next()) {
        long place = rs.getLong(1);
        Duration due = Duration.ofMillis(rs.getLong(3) - now);
        failing.add(
            new RetryingEntry(QueuePlaces.partition(place), place, RecordRows.text(rs, 2), due));
      }
    }
    return failing;
  }

  @Override
  public void published(List<OutboxEntry> messages) {
    if (messages.isEmpty()) {
      return;
    }
    List<Long> places = messages.stream().map(OutboxEntry::place).toList();
    writing.run(
        "the messages were published, but are still in the queue",
        db -> {
          if (history.isKept()) {
            sql.keep(db, places);
          } else {
            sql.delete(db, places);
          }
          return true;
        });
  }

  /** Sets the count instead of raising it, so that a repeated call counts once. */
  @Override
  public boolean failed(String relay, OutboxEntry message, String reason, Duration pause) {
    return engine.write(
        "the failure was not written",
        db ->
            owners.has(db, relay, message.partition())
                && db.update(
                        FAILED,
                        message.attempts() + 1,
                        engine.nowMillis(db) + pause.toMillis(),
                        cut(reason),
                        message.place())
                    == 1);
  }

  /**
   * Locks the row while moving it, because another relay may mark it as published without a lease.
   */
  @Override
  public boolean bury(String relay, OutboxEntry message, String reason) {
    return engine.write(
        "the message was not made a dead letter",
        db ->
            owners.has(db, relay, message.partition())
                && db.update(
                        BURY + sql.locking(),
                        message.attempts() + 1,
                        cut(reason),
                        engine.nowMillis(db),
                        message.place())
                    == 1
                && db.update(DELETE, message.place()) == 1);
  }

  private static String cut(String reason) {
    String safe = PrintableText.safe(reason);
    if (safe.length() <= MAX_REASON_LENGTH) {
      return safe;
    }
    int end = Character.isHighSurrogate(safe.charAt(MAX_REASON_LENGTH - 1)) ? 1 : 0;
    return safe.substring(0, MAX_REASON_LENGTH - end);
  }

  @Override
  public void resting(String relay, boolean resting) {
    if (sql.rings()) {
      engine.write(
          "the writers were not told whether to ring", db -> owners.rest(db, relay, resting));
    }
  }

  @Override
  public AutoCloseable onBell(Runnable ring) {
    return bells.listen(ring);
  }

  @Override
  public void close() {
    reading.close();
    writing.close();
  }
}
