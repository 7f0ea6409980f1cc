package dev.semel.jdbc.internal.jobs;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.jdbc.internal.inbox.HandlerCall;
import dev.semel.jdbc.internal.outbox.OutboxRows;
import dev.semel.jdbc.internal.sqlite.GroupCommit;
import dev.semel.jdbc.internal.store.SqlSessions;
import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.job.Job;
import dev.semel.job.spi.ExistingJob;
import dev.semel.job.spi.ReservedJob;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Jobs in PostgreSQL's SQL. Arrays let one statement serve any number of rows. */
public final class PostgresJobs implements JobDialect {
  private static final String CLOCK =
      "(SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint)";

  /**
   * PostgreSQL keeps a plan made while the table was empty, and such a plan would read or sort the
   * whole table each time. So only plans that follow an index are allowed.
   */
  private static final String SET_UP =
      "SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off;"
          + " SET LOCAL enable_sort = off; SET LOCAL jit = off";

  /** Checks and changes an existing row in one step: it changes only if it is free. */
  private static final String PUT =
      """
      WITH c AS MATERIALIZED (SELECT %1$s AS now, nextval('semel_job_seq') AS base)
      INSERT INTO semel_job (%2$s, place, state, at_millis, due_millis, enqueued_millis, attempts,
        lost)
      SELECT m.queue, m.tenant, m.id, m.job_id, m.priority, m.delay_millis, m.retention_millis,
        nullif(m.fingerprint, ''), nullif(m.headers, ''), m.payload, c.base + m.n, 'P',
        c.now + m.delay_millis, c.now + m.delay_millis, c.now, 0, 0
      FROM c, unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::integer[], ?::bigint[],
        ?::bigint[], ?::text[], ?::text[], ?::bytea[], ?::bigint[]) AS m(%2$s, n)
      ON CONFLICT (%3$s) DO UPDATE SET %4$s
      WHERE %5$s
      RETURNING %3$s"""
          .formatted(
              CLOCK,
              JobRows.JOB,
              JobRows.KEY,
              JobRows.replace("excluded"),
              JobRows.isFree("excluded.enqueued_millis"));

  /** Looks keys up one by one, whatever table size the planner assumes. */
  private static final String LOOK =
      """
      SELECT j.* FROM unnest(?::text[], ?::text[], ?::text[]) AS k(queue, tenant, id)
      CROSS JOIN LATERAL (
        SELECT %s FROM semel_job
        WHERE semel_job.queue = k.queue AND semel_job.tenant = k.tenant AND semel_job.id = k.id
        LIMIT 1) j"""
          .formatted(JobRows.present(CLOCK));

  /** Each priority takes only what earlier priorities left of the limit. */
  private static final String TAKE =
      """
      WITH high AS (%1$s LIMIT ? FOR UPDATE SKIP LOCKED),
        normal AS (%2$s LIMIT ? - (SELECT count(*) FROM high) FOR UPDATE SKIP LOCKED),
        low AS (%3$s LIMIT ? - (SELECT count(*) FROM high) - (SELECT count(*) FROM normal)
          FOR UPDATE SKIP LOCKED)
      UPDATE semel_job SET %4$s
      WHERE ctid = ANY (ARRAY(SELECT spot FROM high UNION ALL SELECT spot FROM normal
        UNION ALL SELECT spot FROM low))
      RETURNING %5$s"""
          .formatted(due(0), due(1), due(2), JobDialect.taking(CLOCK), JobRows.TAKEN);

  private static final String EXTEND =
      """
      UPDATE semel_job SET at_millis = %s + ?
      WHERE ctid = ANY (ARRAY(
        SELECT j.spot FROM unnest(?::text[], ?::text[], ?::text[], ?::uuid[])
          AS k(queue, tenant, id, token)
        CROSS JOIN LATERAL (
          SELECT t.ctid AS spot FROM semel_job t
          WHERE t.queue = k.queue AND t.tenant = k.tenant AND t.id = k.id AND t.token = k.token
            AND t.state = 'R'
          LIMIT 1 FOR UPDATE) j))
      RETURNING queue, tenant, id, token"""
          .formatted(CLOCK);

  private final SqlSessions sessions;

  public PostgresJobs(SqlSessions sessions) {
    this.sessions = sessions;
  }

  private static String due(int priority) {
    return """
    SELECT ctid AS spot FROM semel_job
    WHERE queue = ? AND state = 'P' AND priority = %d AND at_millis <= %s
    ORDER BY at_millis, place"""
        .formatted(priority, CLOCK);
  }

  @Override
  public <R> R run(String what, GroupCommit.Step<R> step) {
    return sessions.run(what, step);
  }

  @Override
  public <R> R transact(String what, GroupCommit.Step<R> step) {
    return sessions.transact(
        what,
        db -> {
          HandlerCall.execute(db.connection(), SET_UP);
          return step.run(db);
        });
  }

  @Override
  public <R> R read(String what, GroupCommit.Step<R> step) {
    return sessions.run(what, step);
  }

  @Override
  public <R> R putting(String what, GroupCommit.Step<R> step) {
    return sessions.run(what, step);
  }

  /**
   * A call that lost the insert may find the other row gone or free when it looks; then it tries
   * again. Inside a transaction the row is locked, so it can't disappear.
   */
  @Override
  public Map<Key, ExistingJob> put(StatementCache db, List<Job> jobs, List<Integer> places)
      throws SQLException {
    Map<Key, ExistingJob> present = new HashMap<>();
    Set<Key> open = new HashSet<>();
    jobs.forEach(job -> open.add(job.key()));
    for (int tries = 0; tries <= SqlSessions.MAX_CONFLICTS; tries++) {
      int[] rows =
          IntStream.range(0, jobs.size()).filter(i -> open.contains(jobs.get(i).key())).toArray();
      db.all(PUT, JobRows::key, columns(db, jobs, places, rows)).forEach(open::remove);
      if (open.isEmpty()) {
        return present;
      }
      look(db, jobs.stream().filter(job -> open.contains(job.key())).toList(), present);
      open.removeAll(present.keySet());
      if (open.isEmpty()) {
        return present;
      }
    }
    throw new StoreException(
        "PostgreSQL: %d jobs were not put there: their keys were taken and freed again each time: try again"
            .formatted(open.size()));
  }

  private static void look(StatementCache db, List<Job> jobs, Map<Key, ExistingJob> present)
      throws SQLException {
    try (ResultSet rs =
        db.query(
            LOOK,
            texts(db, jobs, job -> job.queue().name()),
            texts(db, jobs, job -> job.key().tenant().name()),
            texts(db, jobs, job -> job.key().id()))) {
      while (rs.next()) {
        if (!JobRows.readFree(rs)) {
          present.put(JobRows.key(rs), JobRows.readPresent(rs));
        }
      }
    }
  }

  private static Object[] columns(
      StatementCache db, List<Job> all, List<Integer> places, int[] rows) throws SQLException {
    List<Job> jobs = IntStream.of(rows).mapToObj(all::get).toList();
    return new Object[] {
      texts(db, jobs, job -> job.queue().name()),
      texts(db, jobs, job -> job.key().tenant().name()),
      texts(db, jobs, job -> job.key().id()),
      texts(db, jobs, Job::id),
      array(db, "int4", jobs.stream().map(job -> JobRows.code(job.priority())).toArray()),
      array(db, "int8", jobs.stream().map(job -> job.delay().toMillis()).toArray()),
      array(db, "int8", jobs.stream().map(job -> job.retention().toMillis()).toArray()),
      texts(db, jobs, job -> job.fingerprint().text()),
      texts(db, jobs, job -> OutboxRows.headers(job.headers())),
      array(db, "bytea", jobs.stream().map(Job::payload).toArray(byte[][]::new)),
      array(db, "int8", IntStream.of(rows).mapToObj(i -> (long) places.get(i)).toArray())
    };
  }

  private static Array texts(StatementCache db, List<Job> jobs, Function<Job, String> column)
      throws SQLException {
    return array(db, "text", jobs.stream().map(column).toArray(String[]::new));
  }

  private static Array array(StatementCache db, String type, Object[] values) throws SQLException {
    return Objects.requireNonNull(db.connection().createArrayOf(type, values));
  }

  @Override
  public List<JobRows.Taken> take(
      StatementCache db, Operation queue, int max, Token token, Duration lease)
      throws SQLException {
    String name = queue.name();
    return db.all(
        TAKE,
        rs -> JobRows.taken(rs, token),
        name,
        max,
        name,
        max,
        name,
        max,
        token.value(),
        lease.toMillis(),
        0L);
  }

  @Override
  public Map<Key, Token> extend(StatementCache db, List<ReservedJob> held, Duration lease)
      throws SQLException {
    Map<Key, Token> tokens = new HashMap<>();
    List<Job> jobs = held.stream().map(ReservedJob::job).toList();
    try (ResultSet rs =
        db.query(
            EXTEND,
            lease.toMillis(),
            texts(db, jobs, job -> job.queue().name()),
            texts(db, jobs, job -> job.key().tenant().name()),
            texts(db, jobs, job -> job.key().id()),
            array(db, "uuid", held.stream().map(each -> each.token().value()).toArray()))) {
      while (rs.next()) {
        tokens.put(JobRows.key(rs), new Token(rs.getObject(4, UUID.class)));
      }
    }
    return tokens;
  }

  @Override
  public <R> List<R> change(
      StatementCache db,
      Choice choice,
      String set,
      List<Object> values,
      String columns,
      StatementCache.Mapper<R> mapper)
      throws SQLException {
    return db.all(
        "UPDATE semel_job SET %s WHERE %s RETURNING %s".formatted(set, rows(choice), columns),
        mapper,
        choice.values(values));
  }

  @Override
  public int remove(StatementCache db, Choice choice) throws SQLException {
    return db.update("DELETE FROM semel_job WHERE " + rows(choice), choice.values(List.of()));
  }

  private static String rows(Choice choice) {
    return "ctid = ANY (ARRAY(SELECT ctid FROM semel_job WHERE %s LIMIT ? FOR UPDATE%s))"
        .formatted(choice.where(), choice.skipping() ? " SKIP LOCKED" : "");
  }

  @Override
  public String clock() {
    return CLOCK;
  }

  @Override
  public long offset() {
    return 0;
  }

  @Override
  public Object value(Token token) {
    return token.value();
  }

  @Override
  public StoreException fault(String what, SQLException e) {
    return sessions.faults().of(what, e);
  }
}
