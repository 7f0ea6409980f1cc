package dev.semel.jdbc;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.jdbc.internal.inbox.HandlerCall;
import dev.semel.jdbc.internal.inbox.InboxEngine;
import dev.semel.jdbc.internal.inbox.InboxPartitionTables;
import dev.semel.jdbc.internal.inbox.SqlInboxOperations;
import dev.semel.jdbc.internal.store.AdvisoryLock;
import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.loop.internal.Loop;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * Maintains the table partitions of an inbox on PostgreSQL, for inboxes too large for row-by-row
 * deletes: creates future partitions, drops expired ones, and stores the horizon before which all
 * ids were dropped. The inbox refuses a message from before the horizon as {@link
 * dev.semel.inbox.MessageTooOld}, whether it took effect or not, so a dropped id can't cause a
 * second effect.
 *
 * <p>Ids of messages that are pending, dead or in doubt are never dropped, nor are ids that are not
 * UUIDv7: they stay in the default partition, for {@code InboxOperations.purge}.
 *
 * <p>Each turn is one transaction, so a crash leaves everything done or nothing. Any number of
 * processes may run this: one does the work, the others skip the turn. The database user must be
 * allowed to create and drop tables.
 */
public final class InboxPartitions {
  /** Consumers queue behind our wait for the table lock, so the wait is short. */
  static final Duration LOCK_TIMEOUT = Duration.ofSeconds(3);

  /**
   * A partition is not created when more rows than this would move: consumers would wait for them.
   */
  static final int MAX_MOVED = 10_000;

  /** Partitions dropped in one transaction; the rest follow next time. */
  static final int MAX_DROPPED = 100;

  /** Read without a lock: a process that holds the table lock may want this row. */
  private static final String READ = "SELECT width, horizon FROM semel_inbox_partitioning";

  private static final String MOVE_HORIZON =
      "UPDATE semel_inbox_partitioning SET horizon = greatest(horizon, ?)";

  private static final String IN_DEFAULT =
      """
      SELECT count(*) FROM (SELECT 1 FROM semel_inbox_default
        WHERE id >= ? AND id < ? LIMIT ?) t""";

  private static final String COLUMNS = "consumer, id, state, taker, seen_at";

  private final InboxEngine engine;
  private final InboxPartitionSettings settings;
  private final long offset;

  InboxPartitions(InboxEngine engine, InboxPartitionSettings settings, long offset) {
    this.engine = engine;
    this.settings = settings;
    this.offset = offset;
  }

  /**
   * The result of one turn.
   *
   * @param created future partitions that were created
   * @param dropped expired partitions that were dropped
   * @param horizon messages from before this are refused; empty: nothing was dropped yet
   */
  public record Upkeep(int created, int dropped, Optional<Instant> horizon) {
    private static Upkeep of(int created, int dropped, long horizon) {
      return new Upkeep(
          created,
          dropped,
          horizon == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(horizon)));
    }
  }

  /** How the inbox is partitioned. */
  private record Layout(long width, long horizon, long now, Set<Long> starts) {
    boolean over(long start, Duration keep) {
      return start + width <= now - keep.toMillis();
    }
  }

  /**
   * Partitions the inbox if it is not partitioned yet, then creates and drops partitions. Consumers
   * wait meanwhile.
   *
   * @throws InvalidInput the inbox has another partition width
   * @throws StoreException nothing was changed, for example because a transaction used the inbox
   *     for seconds
   */
  public Upkeep maintain() {
    return engine.transact("the inbox's partitions were left as they are", this::maintain);
  }

  /**
   * Calls {@link #maintain} in a background thread until closed. A failure goes to {@code onError},
   * and the next turn tries again.
   */
  public Loop start(Duration every, Consumer<Exception> onError) {
    return Loop.start(
        "semel-inbox-partitions",
        () -> {
          maintain();
          return false;
        },
        every,
        onError);
  }

  private Upkeep maintain(StatementCache db) throws SQLException {
    // Each statement must see what was committed before this transaction locked the table.
    execute(db, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    execute(db, "SET LOCAL lock_timeout = " + LOCK_TIMEOUT.toMillis());
    boolean first =
        db.first(
                "SELECT pg_try_advisory_xact_lock(?)",
                rs -> rs.getBoolean(1),
                AdvisoryLock.of("semel inbox partitions"))
            .orElse(false);
    Optional<Layout> there = layout(db);
    if (!first) {
      return Upkeep.of(0, 0, there.map(Layout::horizon).orElse(0L));
    }
    if (there.isEmpty()) {
      for (String sql : InboxPartitionTables.convert(settings.width())) {
        execute(db, sql);
      }
      there = layout(db);
    }
    return change(db, there.orElseThrow());
  }

  private Optional<Layout> layout(StatementCache db) throws SQLException {
    long now =
        db.first("SELECT " + engine.clock() + " + ?", rs -> rs.getLong(1), offset).orElseThrow();
    Set<Long> starts = InboxPartitionTables.starts(db);
    return db.first(
        READ, rs -> new Layout(requireWidth(rs.getLong(1)), rs.getLong(2), now, starts));
  }

  private long requireWidth(long there) {
    if (there != settings.width().toMillis()) {
      throw new InvalidInput(
          "each partition of the inbox is of %s, which can't be changed to %s: use the width it has"
              .formatted(Duration.ofMillis(there), settings.width()));
    }
    return there;
  }

  private Upkeep change(StatementCache db, Layout layout) throws SQLException {
    List<Long> over =
        layout.starts().stream()
            .filter(start -> layout.over(start, settings.keep()))
            .limit(MAX_DROPPED)
            .toList();
    long current = Math.floorDiv(layout.now(), layout.width());
    List<Long> missing =
        LongStream.rangeClosed(current, current + settings.ahead())
            .map(period -> period * layout.width())
            .filter(start -> start >= layout.horizon() && !layout.starts().contains(start))
            .boxed()
            .toList();
    int created = 0;
    if (!over.isEmpty() || !missing.isEmpty()) {
      execute(db, "LOCK TABLE semel_inbox IN ACCESS EXCLUSIVE MODE");
    }
    for (long start : missing) {
      created += create(db, start, start + layout.width()) ? 1 : 0;
    }
    for (long start : over) {
      drop(db, start);
    }
    long horizon = over.isEmpty() ? layout.horizon() : over.getLast() + layout.width();
    if (horizon > layout.horizon()) {
      db.update(MOVE_HORIZON, horizon);
    }
    return Upkeep.of(created, over.size(), horizon);
  }

  /** Rows that arrived before their partition existed move into it. */
  private static boolean create(StatementCache db, long start, long end) throws SQLException {
    String from = InboxPartitionTables.bound(start);
    String to = InboxPartitionTables.bound(end);
    long there = db.first(IN_DEFAULT, rs -> rs.getLong(1), from, to, MAX_MOVED + 1).orElseThrow();
    if (there > MAX_MOVED) {
      return false;
    }
    String name = InboxPartitionTables.name(start);
    execute(db, "CREATE TABLE " + name + " (LIKE semel_inbox)");
    if (there > 0) {
      execute(
          db,
          """
          WITH moved AS (DELETE FROM semel_inbox_default WHERE id >= '%3$s' AND id < '%4$s'
            RETURNING %2$s)
          INSERT INTO %1$s (%2$s) SELECT %2$s FROM moved"""
              .formatted(name, COLUMNS, from, to));
    }
    execute(
        db,
        "ALTER TABLE semel_inbox ATTACH PARTITION %s FOR VALUES FROM ('%s') TO ('%s')"
            .formatted(name, from, to));
    return true;
  }

  /** Rows that must stay move to the default partition, which covers this range from now on. */
  private static void drop(StatementCache db, long start) throws SQLException {
    String name = InboxPartitionTables.name(start);
    execute(db, "ALTER TABLE semel_inbox DETACH PARTITION " + name);
    execute(
        db,
        """
        INSERT INTO semel_inbox (%1$s) SELECT %1$s FROM %2$s i
        WHERE state <> 'D' OR id !~ '%3$s' OR NOT (%4$s)"""
            .formatted(COLUMNS, name, InboxPartitionTables.UUID7, SqlInboxOperations.FREE));
    execute(db, "DROP TABLE " + name);
  }

  private static void execute(StatementCache db, String sql) throws SQLException {
    HandlerCall.execute(db.connection(), sql);
  }
}
