package dev.semel.jdbc.internal.jobs;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.internal.PrintableText;
import dev.semel.jdbc.internal.store.RecordRows;
import dev.semel.job.Job;
import dev.semel.job.spi.JobOperations;
import dev.semel.job.spi.JobQueue;
import dev.semel.job.spi.JobState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** An operator's view of the queues, on any engine. */
public final class SqlJobOperations implements JobOperations {
  /** The next jobs of a queue, due or not. */
  private static final String PEEK =
      "SELECT "
          + JobRows.JOB
          + " FROM semel_job WHERE queue = ? AND state = 'P'"
          + " ORDER BY priority, at_millis, place LIMIT ?";

  private final JobDialect sql;
  private final String counts;
  private final String asNew;

  public SqlJobOperations(JobDialect sql) {
    this.sql = sql;
    this.counts =
        """
        SELECT queue, state, count(*), sum(CASE WHEN state = 'P' AND at_millis > %1$s + ?
            THEN 1 ELSE 0 END),
          %1$s + ? - min(CASE WHEN state = 'P' AND at_millis <= %1$s + ? THEN at_millis END)
        FROM semel_job WHERE %2$s GROUP BY queue, state"""
            .formatted(sql.clock(), live());
    this.asNew =
        """
        state = 'P', at_millis = %1$s + ?, due_millis = %1$s + ?, enqueued_millis = %1$s + ?,
          delay_millis = 0, attempts = 0, lost = 0, token = NULL, started_millis = NULL,
          ended_millis = NULL, failure = NULL"""
            .formatted(sql.clock());
  }

  /** Hides ended jobs whose retention is over, although their rows still exist. */
  private String live() {
    return "(state IN ('P', 'R') OR at_millis > %s + ?)".formatted(sql.clock());
  }

  /** The counts of one queue. */
  private static final class Tally {
    final Map<JobState, Long> by = new EnumMap<>(JobState.class);
    long delayed;
    Optional<Duration> oldest = Optional.empty();

    void add(ResultSet rs) throws SQLException {
      by.merge(JobRows.state(rs.getString(2)), rs.getLong(3), Long::sum);
      delayed += rs.getLong(4);
      long millis = rs.getLong(5);
      if (!rs.wasNull()) {
        oldest = Optional.of(Duration.ofMillis(Math.max(0, millis)));
      }
    }

    Counts counts() {
      return new Counts(
          by.getOrDefault(JobState.PENDING, 0L),
          delayed,
          by.getOrDefault(JobState.PROCESSING, 0L),
          by.getOrDefault(JobState.COMPLETED, 0L),
          by.getOrDefault(JobState.FAILED, 0L),
          by.getOrDefault(JobState.IN_DOUBT, 0L),
          oldest);
    }
  }

  @Override
  public SortedMap<Operation, Counts> counts() {
    return sql.read(
        "the jobs were not counted",
        db -> {
          SortedMap<Operation, Tally> tallies =
              new TreeMap<>(Comparator.comparing(Operation::name));
          long now = sql.offset();
          try (ResultSet rs = db.query(counts, now, now, now, now)) {
            while (rs.next()) {
              Operation queue = new Operation(rs.getString(1));
              tallies.computeIfAbsent(queue, q -> new Tally()).add(rs);
            }
          }
          SortedMap<Operation, Counts> all = new TreeMap<>(tallies.comparator());
          tallies.forEach((queue, tally) -> all.put(queue, tally.counts()));
          return all;
        });
  }

  /** A condition and its values. */
  private record Where(String text, List<Object> values) {
    Where and(String more, Object... moreValues) {
      List<Object> all = new ArrayList<>(values);
      all.addAll(List.of(moreValues));
      return new Where(text + " AND " + more, all);
    }
  }

  private Where where(Filter filter) {
    Where where = new Where("queue = ?", List.of(filter.queue().name()));
    if (filter.key().isPresent()) {
      Key key = filter.key().get();
      // This queue has no rows with another queue's key.
      where =
          where.and(
              "queue = ? AND tenant = ? AND id = ?",
              key.operation().name(),
              key.tenant().name(),
              key.id());
    }
    if (!filter.states().isEmpty()) {
      if (filter.states().stream().allMatch(JobState::isDead)) {
        where = where.and(JobRows.IS_DEAD); // word for word the partial index's condition
      }
      where =
          where.and(
              "state IN (%s)"
                  .formatted(
                      filter.states().stream()
                          .sorted()
                          .map(JobRows::codes)
                          .collect(Collectors.joining(", "))));
    }
    return where.and(live(), sql.offset());
  }

  @Override
  public Page list(Filter filter, String cursor, int limit) {
    JobOperations.checkPage(limit);
    Where where = where(filter);
    if (!cursor.isEmpty()) {
      int slash = cursor.indexOf('/');
      if (slash < 0 || !PrintableText.isSafe(cursor)) {
        throw new InvalidInput("this is no cursor of this listing: begin without one");
      }
      String tenant = cursor.substring(0, slash);
      where = where.and(sql.after(), tenant, tenant, cursor.substring(slash + 1));
    }
    List<Entry> found = entries(where, limit + 1);
    if (found.size() <= limit) {
      return new Page(found, "");
    }
    Key last = found.get(limit - 1).key();
    return new Page(found.subList(0, limit), last.tenant().name() + '/' + last.id());
  }

  private List<Entry> entries(Where where, int limit) {
    List<Object> values = new ArrayList<>(where.values());
    values.add(limit);
    return sql.read(
        "the jobs were not listed",
        db ->
            db.all(
                "SELECT %s FROM semel_job WHERE %s ORDER BY queue, tenant, id LIMIT ?"
                    .formatted(JobRows.ENTRY, where.text()),
                JobRows::entry,
                values.toArray()));
  }

  @Override
  public Optional<Entry> find(Key key) {
    return entries(where(Filter.of(key)), 1).stream().findFirst();
  }

  @Override
  public Optional<Job> read(Key key) {
    Where where = where(Filter.of(key));
    return sql.read(
        "the job was not read",
        db ->
            db
                .all(
                    "SELECT %s FROM semel_job WHERE %s".formatted(JobRows.JOB, where.text()),
                    JobRows::job,
                    where.values().toArray())
                .stream()
                .findFirst());
  }

  @Override
  public List<Job> peek(Operation queue, int max) {
    JobQueue.checkBatch(max);
    return sql.read(
        "the queue was not looked into",
        db -> db.all(PEEK, JobRows::job, queue.name(), Math.max(0, max)));
  }

  @Override
  public List<Key> requeue(Filter filter) {
    List<Key> went = new ArrayList<>();
    RecordRows.inParts(
        Integer.MAX_VALUE,
        part -> {
          Where dead = where(filter).and(JobRows.IS_DEAD);
          long now = sql.offset();
          List<Key> some =
              sql.transact(
                  "the dead letters were not put back",
                  db ->
                      sql.change(
                          db,
                          chosen(dead, part),
                          asNew,
                          List.of(now, now, now),
                          JobRows.KEY,
                          JobRows::key));
          went.addAll(some);
          return some.size();
        });
    return went;
  }

  @Override
  public long purge(Filter filter) {
    return RecordRows.inParts(
        Integer.MAX_VALUE,
        part -> {
          Where idle = where(filter).and("state <> 'R'");
          return sql.transact(
              "the jobs were not forgotten", db -> sql.remove(db, chosen(idle, part)));
        });
  }

  /** Waits for locked rows instead of skipping them: an operator wants the change made. */
  private static JobDialect.Choice chosen(Where where, int limit) {
    return new JobDialect.Choice(where.text(), where.values(), false, limit);
  }
}
