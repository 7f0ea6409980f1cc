package dev.semel.jdbc.internal.jobs;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.jdbc.internal.sqlite.GroupCommit;
import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.job.Job;
import dev.semel.job.JobPriority;
import dev.semel.job.spi.ExistingJob;
import dev.semel.job.spi.ReservedJob;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What jobs ask of an engine, and each says differently; safe for many threads. */
public interface JobDialect {
  /** Looks and single statements, which commit by themselves. */
  <R> R run(String what, GroupCommit.Step<R> step);

  /** All of it or nothing, in a transaction set up for those who look for what is next. */
  <R> R transact(String what, GroupCommit.Step<R> step);

  <R> R read(String what, GroupCommit.Step<R> step);

  /** The way for {@link #put}: what of it must be one step is one. */
  <R> R putting(String what, GroupCommit.Step<R> step);

  /**
   * Puts each where no job of its key is, or one that is free. They have different keys, and are in
   * the order of those, so that two who have the same ones wait for each other and do not get
   * stuck.
   *
   * @param places where each stands in the call
   * @return the jobs that have the keys of those that were not put there
   */
  Map<Key, ExistingJob> put(StatementCache db, List<Job> jobs, List<Integer> places)
      throws SQLException;

  /** Hands out what is due; the order of the answer does not matter. */
  List<JobRows.Taken> take(StatementCache db, Operation queue, int max, Token token, Duration lease)
      throws SQLException;

  /**
   * Lets leases run from now.
   *
   * @return the tokens with which the jobs are held that are
   */
  Map<Key, Token> extend(StatementCache db, List<ReservedJob> held, Duration lease)
      throws SQLException;

  /**
   * Which rows.
   *
   * @param where a condition, and after it maybe an order
   * @param skipping those that others have locked, instead of waiting for them
   */
  record Choice(String where, List<Object> values, boolean skipping, int limit) {
    public Object[] values(List<Object> before) {
      List<Object> all = new ArrayList<>(before);
      all.addAll(values);
      all.add(limit);
      return all.toArray();
    }
  }

  /** Changes rows, and reads them after that. */
  <R> List<R> change(
      StatementCache db,
      Choice choice,
      String set,
      List<Object> values,
      String columns,
      StatementCache.Mapper<R> mapper)
      throws SQLException;

  /** Deletes rows, and says how many. */
  int remove(StatementCache db, Choice choice) throws SQLException;

  /**
   * Whether to look for such rows in a transaction; true unless the engine can tell for less that
   * there are none.
   */
  default boolean isWorthWhile(String what, String where, Object... values) {
    return true;
  }

  /** The engine's clock in SQL; together with {@link #offset} it says what time it is. */
  String clock();

  /** What to add to the engine's clock: nothing, or all of it where the engine has none. */
  long offset();

  Object value(Token token);

  /** Whether a row of a queue comes after a tenant, the same tenant again, and an id. */
  default String after() {
    return "tenant >= ? AND (tenant, id) > (?, ?)";
  }

  StoreException fault(String what, SQLException e);

  /** One priority after the other, so that what is not yet due is never looked through. */
  static List<JobRows.Taken> takeByPriority(
      JobDialect sql, StatementCache db, Operation queue, int max, Token token, Duration lease)
      throws SQLException {
    List<JobRows.Taken> taken = new ArrayList<>();
    long now = sql.offset();
    for (JobPriority priority : JobPriority.values()) {
      if (taken.size() < max) {
        Choice due =
            new Choice(
                "queue = ? AND state = 'P' AND priority = ? AND at_millis <= %s + ? ORDER BY at_millis, place"
                    .formatted(sql.clock()),
                List.of(queue.name(), JobRows.code(priority), now),
                true,
                max - taken.size());
        taken.addAll(
            sql.change(
                db,
                due,
                taking(sql.clock()),
                List.of(sql.value(token), now + lease.toMillis(), now),
                JobRows.TAKEN,
                rs -> JobRows.taken(rs, token)));
      }
    }
    return taken;
  }

  /** What happens to a row that is handed out: a token, until when, and since when. */
  static String taking(String clock) {
    return "state = 'R', token = ?, at_millis = %1$s + ?, started_millis = %1$s + ?, attempts = attempts + 1"
        .formatted(clock);
  }
}
