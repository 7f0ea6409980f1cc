package dev.semel.jdbc;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.jdbc.internal.jobs.JobDialect;
import dev.semel.jdbc.internal.jobs.JobRows;
import dev.semel.jdbc.internal.outbox.OutboxRows;
import dev.semel.jdbc.internal.sqlite.GroupCommit;
import dev.semel.jdbc.internal.store.RecordRows;
import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.job.Job;
import dev.semel.job.spi.ExistingJob;
import dev.semel.job.spi.ReservedJob;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Jobs in SQLite's SQL. One transaction writes at a time, so no rows need locks; callers share its
 * commit.
 */
final class SqliteJobs implements JobDialect {
  private static final String PLACE = "SELECT coalesce(max(place), 0) + 1 FROM semel_job";

  private static final String PUT =
      """
      INSERT INTO semel_job (%1$s, place, state, at_millis, due_millis, enqueued_millis, attempts,
        lost)
      VALUES (?, ?, ?, ?, ?, ?, ?, nullif(?, ''), nullif(?, ''), ?, ?, 'P', ?, ?, ?, 0, 0)
      ON CONFLICT (%2$s) DO UPDATE SET %3$s
      WHERE %4$s
      RETURNING 1"""
          .formatted(
              JobRows.JOB,
              JobRows.KEY,
              JobRows.replace("excluded"),
              JobRows.isFree("excluded.enqueued_millis"));

  private static final String LOOK =
      "SELECT %s FROM semel_job WHERE %s".formatted(JobRows.present("?"), JobRows.KEYED);

  private static final String EXTEND =
      "UPDATE semel_job SET at_millis = ? WHERE %s AND token = ? AND state = 'R'"
          .formatted(JobRows.KEYED);

  private final SqliteStore store;

  SqliteJobs(SqliteStore store) {
    this.store = store;
  }

  @Override
  public <R> R run(String what, GroupCommit.Step<R> step) {
    return store.engine().write(what, step);
  }

  @Override
  public <R> R transact(String what, GroupCommit.Step<R> step) {
    return store.engine().write(what, step);
  }

  @Override
  public <R> R read(String what, GroupCommit.Step<R> step) {
    return store.engine().read(what, step);
  }

  @Override
  public <R> R putting(String what, GroupCommit.Step<R> step) {
    return store.engine().write(what, step);
  }

  @Override
  public Map<Key, ExistingJob> put(StatementCache db, List<Job> jobs, List<Integer> places)
      throws SQLException {
    Map<Key, ExistingJob> present = new HashMap<>();
    long now = offset();
    long base = db.first(PLACE, rs -> rs.getLong(1)).orElseThrow();
    for (int i = 0; i < jobs.size(); i++) {
      Job job = jobs.get(i);
      if (db.first(PUT, rs -> true, values(job, base + places.get(i), now)).isEmpty()) {
        present.put(job.key(), look(db, job.key(), now));
      }
    }
    return present;
  }

  private static Object[] values(Job job, long place, long now) {
    long due = now + job.delay().toMillis();
    return new Object[] {
      job.queue().name(),
      job.key().tenant().name(),
      job.key().id(),
      job.id(),
      JobRows.code(job.priority()),
      job.delay().toMillis(),
      job.retention().toMillis(),
      job.fingerprint().text(),
      OutboxRows.headers(job.headers()),
      job.payload(),
      place,
      due,
      due,
      now
    };
  }

  private static ExistingJob look(StatementCache db, Key key, long now) throws SQLException {
    return db.first(
            LOOK,
            JobRows::readPresent,
            now,
            now,
            key.operation().name(),
            key.tenant().name(),
            key.id())
        .orElseThrow();
  }

  @Override
  public List<JobRows.Taken> take(
      StatementCache db, Operation queue, int max, Token token, Duration lease)
      throws SQLException {
    return JobDialect.takeByPriority(this, db, queue, max, token, lease);
  }

  @Override
  public Map<Key, Token> extend(StatementCache db, List<ReservedJob> held, Duration lease)
      throws SQLException {
    Map<Key, Token> tokens = new HashMap<>();
    long until = offset() + lease.toMillis();
    for (ReservedJob each : held) {
      Key key = each.job().key();
      if (db.update(
              EXTEND,
              until,
              key.operation().name(),
              key.tenant().name(),
              key.id(),
              value(each.token()))
          > 0) {
        tokens.put(key, each.token());
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
    return "place IN (SELECT place FROM semel_job WHERE %s LIMIT ?)".formatted(choice.where());
  }

  /** Looks for work on a read connection, so that idle workers don't occupy the writer. */
  @Override
  public boolean isWorthWhile(String what, String where, Object... values) {
    String sql = "SELECT 1 FROM semel_job WHERE " + where + " LIMIT 1";
    return read(what, db -> db.first(sql, rs -> true, values).isPresent());
  }

  @Override
  public String clock() {
    return "0";
  }

  @Override
  public long offset() {
    return store.clock().millis();
  }

  @Override
  public Object value(Token token) {
    return RecordRows.bytes(token);
  }

  @Override
  public StoreException fault(String what, SQLException e) {
    return store.file().fault(what, e);
  }
}
