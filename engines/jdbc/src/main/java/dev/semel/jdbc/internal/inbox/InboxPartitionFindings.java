package dev.semel.jdbc.internal.inbox;

import dev.semel.jdbc.internal.store.StatementCache;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Examines the partitions of an inbox. */
final class InboxPartitionFindings {
  /** Scans of this many rows may become noticeable; not measured. */
  private static final long LARGE_DEFAULT = 5_000_000;

  private InboxPartitionFindings() {}

  /** Diagnoses the partitions for an operator, one sentence per problem. */
  static List<String> diagnose(StatementCache db, InboxEngine engine) throws SQLException {
    Optional<Long> width =
        db.first("SELECT width FROM semel_inbox_partitioning", rs -> rs.getLong(1));
    List<String> findings = new ArrayList<>();
    if (width.isEmpty()) {
      return findings;
    }
    long now = db.first("SELECT " + engine.clock(), rs -> rs.getLong(1)).orElseThrow();
    long next = (Math.floorDiv(now, width.get()) + 1) * width.get();
    if (!InboxPartitionTables.starts(db).contains(next)) {
      findings.add(
          "the inbox has no partition for ids from %s on, so they will be in the default one and can't be dropped with their partition: run semel inbox partition regularly, or InboxPartitions.start"
              .formatted(Instant.ofEpochMilli(next)));
    }
    long rows =
        db.first(
                "SELECT reltuples::bigint FROM pg_class WHERE oid = to_regclass(?)::oid",
                rs -> rs.getLong(1),
                InboxPartitionTables.DEFAULT)
            .orElse(0L);
    if (rows > LARGE_DEFAULT) {
      findings.add(
          "about %d ids are in the inbox's default partition, which is looked through for each new partition while consumers wait: purge old ones; where ids are no UUIDv7, partitions are of no use"
              .formatted(rows));
    }
    return findings;
  }
}
