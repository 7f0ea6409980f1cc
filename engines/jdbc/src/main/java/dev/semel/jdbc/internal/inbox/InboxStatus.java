package dev.semel.jdbc.internal.inbox;

import dev.semel.inbox.spi.InboxOperations.ConsumerStatus;
import dev.semel.inbox.spi.InboxOperations.Status;
import dev.semel.jdbc.internal.store.StatementCache;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Counts everything in the inbox, and diagnoses problems. */
final class InboxStatus {
  /** From this size on, the report asks whether all ids must be kept for ever. */
  static final long LARGE_BYTES = 10L << 30;

  private static final String IDS =
      """
      SELECT consumer, count(*), min(seen_at), sum(CASE WHEN state = 'S' THEN 1 ELSE 0 END)
      FROM semel_inbox GROUP BY consumer""";

  private static final String PENDING =
      """
      SELECT consumer, count(*), min(received_at),
        sum(CASE WHEN reason IS NULL THEN 0 ELSE 1 END)
      FROM semel_inbox_message GROUP BY consumer""";

  private static final String DEAD =
      "SELECT consumer, count(*), min(died_at), 0 FROM semel_inbox_dead GROUP BY consumer";

  private static final String NULL_IDS =
      "SELECT count(*) FROM semel_inbox WHERE id IS NULL OR consumer IS NULL";

  private static final String TWICE =
      """
      SELECT count(*) FROM (SELECT id FROM semel_inbox GROUP BY consumer, id
        HAVING count(*) > 1) t""";

  private static final String WITHOUT_ID =
      """
      SELECT count(*) FROM semel_inbox_message m WHERE NOT EXISTS (SELECT 1 FROM semel_inbox i
        WHERE i.consumer = m.consumer AND i.id = m.id)""";

  private InboxStatus() {}

  /** A consumer's rows in one table: how many, the oldest, and how many are special. */
  private record Count(long rows, long oldest, long special) {
    static final Count NONE = new Count(0, 0, 0);
  }

  private static Map<String, Count> counts(StatementCache db, String sql) throws SQLException {
    Map<String, Count> counts = new HashMap<>();
    db.all(
        sql,
        rs -> counts.put(rs.getString(1), new Count(rs.getLong(2), rs.getLong(3), rs.getLong(4))));
    return counts;
  }

  static Status read(StatementCache db, InboxEngine engine) throws SQLException {
    Map<String, Count> ids = counts(db, IDS);
    Map<String, Count> pending = counts(db, PENDING);
    Map<String, Count> dead = counts(db, DEAD);
    long now =
        db.first("SELECT " + engine.clock() + " + ?", rs -> rs.getLong(1), engine.offset())
            .orElseThrow();
    TreeSet<String> consumers = new TreeSet<>(ids.keySet());
    consumers.addAll(pending.keySet());
    consumers.addAll(dead.keySet());
    List<ConsumerStatus> all = new ArrayList<>();
    for (String consumer : consumers) {
      Count known = ids.getOrDefault(consumer, Count.NONE);
      Count waiting = pending.getOrDefault(consumer, Count.NONE);
      all.add(
          new ConsumerStatus(
              consumer,
              known.rows(),
              known.rows() == 0
                  ? Optional.empty()
                  : Optional.of(Instant.ofEpochMilli(known.oldest())),
              known.special(),
              waiting.rows(),
              waiting.special(),
              dead.getOrDefault(consumer, Count.NONE).rows(),
              waiting.rows() == 0
                  ? Optional.empty()
                  : Optional.of(Duration.ofMillis(Math.max(0, now - waiting.oldest())))));
    }
    return new Status(all, number(db, engine.bytes()));
  }

  static SortedMap<String, Long> dead(StatementCache db) throws SQLException {
    SortedMap<String, Long> dead = new TreeMap<>();
    counts(db, DEAD).forEach((consumer, count) -> dead.put(consumer, count.rows()));
    return dead;
  }

  static List<String> diagnose(StatementCache db, InboxEngine engine) throws SQLException {
    List<String> findings = new ArrayList<>();
    if (number(db, engine.keyColumns()) != 2) {
      findings.add(
          "the table semel_inbox has no primary key on (consumer, id), so nothing keeps duplicates out, and %d ids are there more than once: stop its consumers, delete the repeats, and add the key"
              .formatted(number(db, TWICE)));
    }
    addCount(
        findings,
        number(db, NULL_IDS),
        "%d rows of semel_inbox have no id or consumer: something else writes to the table, find and stop it");
    addCount(
        findings,
        number(db, WITHOUT_ID),
        "%d stored messages have no id in semel_inbox, so they would be stored again when they come again: something else deletes ids, find and stop it");
    Status status = read(db, engine);
    for (ConsumerStatus consumer : status.consumers()) {
      addCount(
          findings,
          consumer.inDoubt(),
          "%d messages of "
              + consumer.consumer()
              + " were started and nobody knows how that ended: look at what they did, and forget those that did nothing");
      addCount(
          findings,
          consumer.dead(),
          "%d messages of "
              + consumer.consumer()
              + " are dead letters: mend what they failed of and retry them, or delete them");
    }
    if (engine.canPartition()) {
      findings.addAll(InboxPartitionFindings.diagnose(db, engine));
    }
    if (status.bytes() > LARGE_BYTES) {
      findings.add(
          "the inbox's tables have %d MiB: if no message can come again after some time, delete older ids"
              .formatted(status.bytes() >> 20));
    }
    return findings;
  }

  private static void addCount(List<String> findings, long count, String sentence) {
    if (count > 0) {
      findings.add(sentence.formatted(count));
    }
  }

  private static long number(StatementCache db, String sql) throws SQLException {
    return db.first(sql, rs -> rs.getLong(1)).orElse(0L);
  }
}
