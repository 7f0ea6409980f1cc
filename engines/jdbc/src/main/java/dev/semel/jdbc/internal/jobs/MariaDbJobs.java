package dev.semel.jdbc.internal.jobs;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.jdbc.internal.inbox.HandlerCall;
import dev.semel.jdbc.internal.outbox.OutboxRows;
import dev.semel.jdbc.internal.sqlite.GroupCommit;
import dev.semel.jdbc.internal.store.RecordRows;
import dev.semel.jdbc.internal.store.SqlSessions;
import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.job.Job;
import dev.semel.job.spi.ExistingJob;
import dev.semel.job.spi.ReservedJob;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Jobs in MariaDB's SQL: rows are locked first, and changed after that. */
public final class MariaDbJobs implements JobDialect {
  private static final String CLOCK =
      "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) DIV 1000)";

  /** With stricter isolation, a worker looking for due jobs would lock the gaps for inserts. */
  private static final String SET_UP = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED";

  private static final String PLACE = "SELECT NEXTVAL(semel_job_seq)";

  private static final String PUT =
      "INSERT INTO semel_job (%s, place, state, at_millis, due_millis, enqueued_millis, attempts, lost) VALUES "
          .formatted(JobRows.JOB);

  private static final String ROW =
      "(?, ?, ?, ?, ?, ?, ?, nullif(?, ''), nullif(?, ''), ?, ?, 'P', %1$s + ?, %1$s + ?, %1$s, 0, 0)"
          .formatted(CLOCK);

  /** A row that exists stays as it is, gets locked, and is returned instead of the new one. */
  private static final String OR_FIND =
      " ON DUPLICATE KEY UPDATE place = semel_job.place RETURNING " + JobRows.present(CLOCK);

  private static final String FORGET = "DELETE FROM semel_job WHERE " + JobRows.KEYED;

  private static final String HELD = "(" + JobRows.KEYED + " AND token = ?)";

  private final SqlSessions sessions;

  public MariaDbJobs(SqlSessions sessions) {
    this.sessions = sessions;
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
    return transact(what, step);
  }

  /** The first insert locked the free rows, so they can be deleted before the second one. */
  @Override
  public Map<Key, ExistingJob> put(StatementCache db, List<Job> jobs, List<Integer> places)
      throws SQLException {
    long base = db.first(PLACE, rs -> rs.getLong(1)).orElseThrow();
    Map<Key, ExistingJob> present = new HashMap<>();
    List<Key> free = insert(db, jobs, places, base, present);
    if (!free.isEmpty()) {
      for (Key key : free) {
        db.update(FORGET, JobRows.key(key));
      }
      List<Job> again = new ArrayList<>();
      List<Integer> theirPlaces = new ArrayList<>();
      for (int i = 0; i < jobs.size(); i++) {
        if (free.contains(jobs.get(i).key())) {
          again.add(jobs.get(i));
          theirPlaces.add(places.get(i));
        }
      }
      insert(db, again, theirPlaces, base, present);
    }
    return present;
  }

  /**
   * Inserts the jobs. An inserted row comes back with the job's own id, an existing row with
   * another.
   */
  private static List<Key> insert(
      StatementCache db,
      List<Job> jobs,
      List<Integer> places,
      long base,
      Map<Key, ExistingJob> present)
      throws SQLException {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      Job job = jobs.get(i);
      Collections.addAll(values, JobRows.key(job.key()));
      Collections.addAll(
          values,
          job.id(),
          JobRows.code(job.priority()),
          job.delay().toMillis(),
          job.retention().toMillis(),
          job.fingerprint().text(),
          OutboxRows.headers(job.headers()),
          job.payload(),
          base + places.get(i),
          job.delay().toMillis(),
          job.delay().toMillis());
    }
    List<Key> free = new ArrayList<>();
    String rows = String.join(", ", Collections.nCopies(jobs.size(), ROW));
    try (ResultSet rs = db.query(PUT + rows + OR_FIND, values.toArray())) {
      while (rs.next()) {
        Key key = JobRows.key(rs);
        if (JobRows.readFree(rs)) {
          free.add(key);
        } else {
          present.put(key, JobRows.readPresent(rs));
        }
      }
    }
    return free;
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
    List<Object> values = new ArrayList<>();
    for (ReservedJob each : held) {
      Collections.addAll(values, JobRows.key(each.job().key()));
      values.add(value(each.token()));
    }
    Choice theirs =
        new Choice(
            "state = 'R' AND (%s)"
                .formatted(String.join(" OR ", Collections.nCopies(held.size(), HELD))),
            values,
            false,
            held.size());
    change(
            db,
            theirs,
            "at_millis = %s + ?".formatted(CLOCK),
            List.of(lease.toMillis()),
            JobRows.KEY + ", token",
            rs -> Map.entry(JobRows.key(rs), RecordRows.token(rs.getBytes(4))))
        .forEach(each -> tokens.put(each.getKey(), each.getValue()));
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
    String places = choose(db, choice);
    if (places.isEmpty()) {
      return List.of();
    }
    db.update(
        "UPDATE semel_job SET %s WHERE place IN (%s)".formatted(set, places), values.toArray());
    return db.all(
        "SELECT %s FROM semel_job WHERE place IN (%s)".formatted(columns, places), mapper);
  }

  @Override
  public int remove(StatementCache db, Choice choice) throws SQLException {
    String places = choose(db, choice);
    return places.isEmpty()
        ? 0
        : db.update("DELETE FROM semel_job WHERE place IN (%s)".formatted(places));
  }

  private static String choose(StatementCache db, Choice choice) throws SQLException {
    String sql =
        "SELECT place FROM semel_job WHERE %s LIMIT ? FOR UPDATE%s"
            .formatted(choice.where(), choice.skipping() ? " SKIP LOCKED" : "");
    return db.all(sql, rs -> rs.getLong(1), choice.values(List.of())).stream()
        .map(String::valueOf)
        .collect(Collectors.joining(", "));
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
    return RecordRows.bytes(token);
  }

  /** Spelled out, because MariaDB searches no index for a compared row value. */
  @Override
  public String after() {
    return "(tenant > ? OR (tenant = ? AND id > ?))";
  }

  @Override
  public StoreException fault(String what, SQLException e) {
    return sessions.faults().of(what, e);
  }
}
