package dev.semel.jdbc;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.spi.Store;
import dev.semel.jdbc.internal.jobs.JobDialect;
import dev.semel.jdbc.internal.jobs.JobRows;
import dev.semel.jdbc.internal.jobs.MariaDbJobs;
import dev.semel.jdbc.internal.jobs.PostgresJobs;
import dev.semel.jdbc.internal.jobs.SqlJobOperations;
import dev.semel.jdbc.internal.store.RecordRows;
import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.job.DeadLetterReason;
import dev.semel.job.EnqueueResult;
import dev.semel.job.Job;
import dev.semel.job.spi.ExistingJob;
import dev.semel.job.spi.JobOperations;
import dev.semel.job.spi.JobQueue;
import dev.semel.job.spi.ReservedJob;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A job queue in PostgreSQL, MariaDB or SQLite, for background work next to the application's data.
 * A key has one row, so the database decides which of many concurrent calls adds it. A worker's
 * steps compare its token, so a worker that lost its job changes nothing. The store's clock
 * decides.
 *
 * <p>Jobs may also be enqueued {@linkplain #enqueue(Connection, List) in the caller's transaction}:
 * they exist if and only if that commits.
 *
 * <p>The store created or checked the table when it was opened. A crash leaves each job as after
 * its last step: after {@link #reap}, another worker gets a crashed worker's job. Safe for many
 * threads; many processes share the table. Closing the queue does not close the store.
 */
public final class JdbcJobs implements JobQueue {
  /** The most jobs that one transaction reaps or deletes. */
  static final int MAX_REAPED_AT_ONCE = 1000;

  /** The most jobs that one call deletes. */
  static final int MAX_FORGOTTEN = 20_000;

  private static final String HELD = " WHERE " + JobRows.KEYED + " AND token = ?";

  private static final String WAS_HELD = "SELECT 1 FROM semel_job" + HELD;

  private final Store store;
  private final JobDialect sql;
  private final SqlJobOperations operations;

  private JdbcJobs(Store store, JobDialect sql) {
    this.store = store;
    this.sql = sql;
    this.operations = new SqlJobOperations(sql);
  }

  /**
   * A job queue in the store's PostgreSQL database; each call takes a connection from its source.
   */
  public static JdbcJobs on(PostgresStore store) {
    return new JdbcJobs(store, new PostgresJobs(store.server().sessions()));
  }

  /** A job queue in the store's MariaDB database; each call takes a connection from its source. */
  public static JdbcJobs on(MariaDbStore store) {
    return new JdbcJobs(store, new MariaDbJobs(store.server().sessions()));
  }

  /** A job queue in the store's SQLite file, whose writers share commits. */
  public static JdbcJobs on(SqliteStore store) {
    return new JdbcJobs(store, new SqliteJobs(store));
  }

  @Override
  public String describe() {
    return store.describe();
  }

  @Override
  public Instant now() {
    return store.now();
  }

  @Override
  public List<EnqueueResult> enqueue(List<Job> jobs) {
    JobQueue.checkBatch(jobs.size());
    return enqueue(
        jobs,
        (part, places) ->
            sql.putting("the jobs were not put there", db -> sql.put(db, part, places)));
  }

  /**
   * Enqueues jobs in the caller's transaction: a rollback removes them. The result holds only once
   * the caller has committed. Until then other callers with one of these keys wait, and so may the
   * worker of a duplicate: keep the transaction short.
   *
   * @throws InvalidInput when there are too many jobs, or the connection has automatic commits on;
   *     nothing was sent to the database
   * @throws StoreException when the database refused; roll the transaction back, and repeat it if
   *     you like
   */
  public List<EnqueueResult> enqueue(Connection connection, List<Job> jobs) {
    JobQueue.checkBatch(jobs.size());
    StatementCache db = new StatementCache(connection);
    try {
      if (connection.getAutoCommit()) {
        throw new InvalidInput(
            "the connection commits every statement by itself, so the jobs would not belong to what else is written: call setAutoCommit(false) first, and commit after both");
      }
      return enqueue(jobs, (part, places) -> sql.put(db, part, places));
    } catch (SQLException e) {
      throw sql.fault("the jobs were not put there, roll back", e);
    } finally {
      db.closeStatements();
    }
  }

  /** Enqueues these jobs in the caller's transaction. */
  public List<EnqueueResult> enqueue(Connection connection, Job... jobs) {
    return enqueue(connection, List.of(jobs));
  }

  /** Enqueues one part of the jobs. */
  @FunctionalInterface
  private interface Put<X extends Exception> {
    Map<Key, ExistingJob> run(List<Job> jobs, List<Integer> places) throws X;
  }

  /** Of several jobs with one key only the first is enqueued; the others are compared with it. */
  private static <X extends Exception> List<EnqueueResult> enqueue(List<Job> jobs, Put<X> put)
      throws X {
    Map<Key, Integer> firsts = new LinkedHashMap<>();
    for (int i = 0; i < jobs.size(); i++) {
      firsts.putIfAbsent(jobs.get(i).key(), i);
    }
    Map<Key, ExistingJob> present = new HashMap<>();
    for (List<Integer> places : parts(jobs, firsts.values())) {
      List<Job> part = places.stream().map(jobs::get).toList();
      part.forEach(job -> present.put(job.key(), ExistingJob.of(job)));
      present.putAll(put.run(part, places));
    }
    return jobs.stream()
        .map(job -> Objects.requireNonNull(present.get(job.key())).decide(job))
        .toList();
  }

  /** The parts follow the order of the call; within a part, keys are sorted. */
  private static List<List<Integer>> parts(List<Job> jobs, Iterable<Integer> places) {
    List<List<Integer>> parts = new ArrayList<>();
    List<Integer> part = new ArrayList<>();
    long bytes = 0;
    for (int place : places) {
      long more = JobRows.bytes(jobs.get(place));
      if (!part.isEmpty() && bytes + more > JdbcOutbox.MAX_BYTES_AT_ONCE) {
        parts.add(part);
        part = new ArrayList<>();
        bytes = 0;
      }
      part.add(place);
      bytes += more;
    }
    if (!part.isEmpty()) {
      parts.add(part);
    }
    parts.forEach(each -> each.sort((a, b) -> JobRows.BY_KEY.compare(jobs.get(a), jobs.get(b))));
    return parts;
  }

  @Override
  public List<ReservedJob> reserve(Operation queue, int max, Duration lease) {
    JobQueue.checkReserve(max, lease);
    String what = "no job was handed out";
    if (!sql.isWorthWhile(
        what,
        "queue = ? AND state = 'P' AND %s AND at_millis <= ?".formatted(JobRows.ANY_PRIORITY),
        queue.name(),
        sql.offset())) {
      return List.of();
    }
    // One token for the whole call: no job is in two calls at a time.
    Token token = Token.draw();
    return sql.transact(what, db -> sql.take(db, queue, max, token, lease)).stream()
        .sorted(JobRows.Taken.NEXT)
        .map(JobRows.Taken::reserved)
        .toList();
  }

  @Override
  public List<ReservedJob> extend(List<ReservedJob> held, Duration lease) {
    List<ReservedJob> lost = new ArrayList<>();
    for (int from = 0; from < held.size(); from += MAX_BATCH) {
      List<ReservedJob> part = held.subList(from, Math.min(held.size(), from + MAX_BATCH));
      Map<Key, Token> tokens =
          sql.transact("the leases were not extended", db -> sql.extend(db, part, lease));
      part.stream()
          .filter(each -> !each.token().equals(tokens.get(each.job().key())))
          .forEach(lost::add);
    }
    return lost;
  }

  @Override
  public boolean complete(ReservedJob held) {
    return end(
        "the job was not completed",
        held,
        "state = 'C', at_millis = %1$s + ? + retention_millis, ended_millis = %1$s + ?, failure = NULL",
        now -> List.of(now, now));
  }

  @Override
  public boolean retry(ReservedJob held, Duration pause, String error) {
    return end(
        "the job was not put back",
        held,
        "state = 'P', at_millis = %1$s + ?, due_millis = %1$s + ?, failure = nullif(?, '')",
        now -> List.of(now + pause.toMillis(), now + pause.toMillis(), JobRows.failure(error)));
  }

  @Override
  public boolean giveBack(ReservedJob held, Duration pause) {
    return end(
        "the job was not given back",
        held,
        "state = 'P', at_millis = %1$s + ?, due_millis = %1$s + ?, attempts = attempts - 1",
        now -> List.of(now + pause.toMillis(), now + pause.toMillis()));
  }

  @Override
  public boolean bury(ReservedJob held, DeadLetterReason why, String error) {
    String kept =
        why == DeadLetterReason.FINAL
            ? "retention_millis"
            : Long.toString(DEAD_RETENTION.toMillis());
    return end(
        "the job was not buried",
        held,
        "state = '%s', at_millis = %%1$s + ? + %s, ended_millis = %%1$s + ?, failure = nullif(?, '')"
            .formatted(JobRows.code(why), kept),
        now -> List.of(now, now, JobRows.failure(error)));
  }

  /** The values of a step at a given time. */
  @FunctionalInterface
  private interface Values {
    List<Object> at(long now);
  }

  /** A repeated step with the same token counts as done. */
  private boolean end(String what, ReservedJob held, String set, Values values) {
    String step = "UPDATE semel_job SET " + set.formatted(sql.clock()) + HELD + " AND state = 'R'";
    return sql.run(
        what,
        db -> {
          List<Object> all = new ArrayList<>(values.at(sql.offset()));
          List<Object> theirs = new ArrayList<>(List.of(JobRows.key(held.job().key())));
          theirs.add(sql.value(held.token()));
          all.addAll(theirs);
          return db.update(step, all.toArray()) > 0
              || db.first(WAS_HELD, rs -> true, theirs.toArray()).isPresent();
        });
  }

  @Override
  public List<Key> reap(Operation queue) {
    String what = "the queue was not tidied";
    String ended =
        "queue = ? AND state = 'R' AND %s AND at_millis <= %s + ?"
            .formatted(JobRows.ANY_PRIORITY, sql.clock());
    List<Key> lost = new ArrayList<>();
    if (sql.isWorthWhile(what, ended, queue.name(), sql.offset())) {
      lost.addAll(sql.transact(what, db -> release(db, ended, queue)));
    }
    String over =
        "queue = ? AND %s AND %s AND at_millis <= %s + ?"
            .formatted(JobRows.IS_OVER, JobRows.ANY_PRIORITY, sql.clock());
    if (sql.isWorthWhile(what, over, queue.name(), sql.offset())) {
      RecordRows.inParts(
          MAX_FORGOTTEN,
          part -> sql.transact(what, db -> sql.remove(db, choice(over, queue, part))));
    }
    return lost;
  }

  private JobDialect.Choice choice(String where, Operation queue, int limit) {
    return new JobDialect.Choice(where, List.of(queue.name(), sql.offset()), true, limit);
  }

  private List<Key> release(StatementCache db, String where, Operation queue) throws SQLException {
    String clock = sql.clock();
    return sql.change(
        db,
        choice(where, queue, MAX_REAPED_AT_ONCE),
        "state = 'P', token = NULL, lost = lost + 1, at_millis = %1$s + ?, due_millis = %1$s + ?"
            .formatted(clock),
        List.of(sql.offset(), sql.offset()),
        JobRows.KEY,
        JobRows::key);
  }

  @Override
  public JobOperations operations() {
    return operations;
  }

  @Override
  public List<String> hazards() {
    return store.hazards();
  }

  /** Does nothing: the store owns the connections. */
  @Override
  public void close() {}
}
