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

/** The parts of a job queue that differ between engines. Safe for many threads. */
public interface JobDialect {
  /** Runs reads and single statements with automatic commits. */
  <R> R run(String what, GroupCommit.Step<R> step);

  /** Runs a step in one transaction, set up for searching for due jobs. */
  <R> R transact(String what, GroupCommit.Step<R> step);

  <R> R read(String what, GroupCommit.Step<R> step);

  /** Runs {@link #put}. Steps that must be atomic run in one transaction or one statement. */
  <R> R putting(String what, GroupCommit.Step<R> step);

  /**
   * Inserts each job whose key has no job or only an ended one. The keys are distinct and sorted,
   * so that two callers with the same keys wait for each other without a deadlock.
   *
   * @param places the position of each job in the call
   * @return the existing jobs whose keys kept a job from being inserted
   */
  Map<Key, ExistingJob> put(StatementCache db, List<Job> jobs, List<Integer> places)
      throws SQLException;

  /** Hands out due jobs, in any order. */
  List<JobRows.Taken> take(StatementCache db, Operation queue, int max, Token token, Duration lease)
      throws SQLException;

  /**
   * Renews leases from now on.
   *
   * @return the current tokens of those jobs that are held
   */
  Map<Key, Token> extend(StatementCache db, List<ReservedJob> held, Duration lease)
      throws SQLException;

  /**
   * Selects rows.
   *
   * @param where a condition, optionally followed by an order
   * @param skipping skips locked rows instead of waiting for them
   */
  record Choice(String where, List<Object> values, boolean skipping, int limit) {
    public Object[] values(List<Object> before) {
      List<Object> all = new ArrayList<>(before);
      all.addAll(values);
      all.add(limit);
      return all.toArray();
    }
  }

  /** Changes rows, and then reads them. */
  <R> List<R> change(
      StatementCache db,
      Choice choice,
      String set,
      List<Object> values,
      String columns,
      StatementCache.Mapper<R> mapper)
      throws SQLException;

  /** Deletes rows, and returns how many. */
  int remove(StatementCache db, Choice choice) throws SQLException;

  /**
   * Whether a transaction should look for such rows; false only where the engine has cheaply found
   * that there are none.
   */
  default boolean isWorthWhile(String what, String where, Object... values) {
    return true;
  }

  /** The engine's clock in SQL; the current time is this plus {@link #offset}. */
  String clock();

  /** What to add to the engine's clock: zero, or the whole time where the engine has no clock. */
  long offset();

  Object value(Token token);

  /**
   * A condition that is true when a row of a queue comes after (tenant, id); its parameters are the
   * tenant, the tenant again, and the id.
   */
  default String after() {
    return "tenant >= ? AND (tenant, id) > (?, ?)";
  }

  StoreException fault(String what, SQLException e);

  /** Takes one priority after the other, so that jobs which are not yet due are not scanned. */
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

  /** Assigns a row to a worker: a token, the lease's end, and the start. */
  static String taking(String clock) {
    return "state = 'R', token = ?, at_millis = %1$s + ?, started_millis = %1$s + ?, attempts = attempts + 1"
        .formatted(clock);
  }
}
