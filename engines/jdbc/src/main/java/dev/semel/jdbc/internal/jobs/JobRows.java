package dev.semel.jdbc.internal.jobs;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.Tenant;
import dev.semel.Token;
import dev.semel.idempotency.Fingerprint;
import dev.semel.internal.PrintableText;
import dev.semel.jdbc.internal.outbox.OutboxRows;
import dev.semel.jdbc.internal.store.RecordRows;
import dev.semel.job.DeadLetterReason;
import dev.semel.job.Job;
import dev.semel.job.JobPriority;
import dev.semel.job.spi.ExistingJob;
import dev.semel.job.spi.JobOperations.Entry;
import dev.semel.job.spi.JobQueue;
import dev.semel.job.spi.JobState;
import dev.semel.job.spi.ReservedJob;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/** Converts rows of {@code semel_job} in both directions, for every engine. */
public final class JobRows {
  static final String PENDING = "P";
  static final String PROCESSING = "R";
  static final String COMPLETED = "C";
  static final String FAILED = "F";
  static final String GAVE_UP = "G";
  static final String IN_DOUBT = "D";

  static final String IS_DEAD = "state IN ('F', 'G', 'D')";

  public static final String IS_OVER = "state IN ('C', 'F', 'G', 'D')";

  /** Lists all priorities, because an index can be searched only below a fixed first column. */
  public static final String ANY_PRIORITY = "priority IN (0, 1, 2)";

  /** A job by its key. */
  public static final String KEYED = "queue = ? AND tenant = ? AND id = ?";

  public static final String KEY = "queue, tenant, id";

  /** The job itself, as it is inserted and read. */
  public static final String JOB =
      KEY + ", job_id, priority, delay_millis, retention_millis, fingerprint, headers, payload";

  /** A job that was handed out. */
  static final String TAKEN = JOB + ", attempts, lost, due_millis, place";

  /** A job without its payload. */
  static final String ENTRY =
      KEY
          + """
          , job_id, state, priority, coalesce(octet_length(payload), 0), attempts, enqueued_millis,
          due_millis, started_millis, ended_millis, failure""";

  /**
   * Overwrites an ended job with a new one.
   *
   * @param fresh the engine's name for the row that could not be inserted
   */
  public static String replace(String fresh) {
    return """
    place = %1$s.place, job_id = %1$s.job_id, priority = %1$s.priority,
      delay_millis = %1$s.delay_millis, retention_millis = %1$s.retention_millis,
      fingerprint = %1$s.fingerprint, headers = %1$s.headers, payload = %1$s.payload,
      state = %1$s.state, at_millis = %1$s.at_millis, due_millis = %1$s.due_millis,
      enqueued_millis = %1$s.enqueued_millis, started_millis = NULL, ended_millis = NULL,
      attempts = 0, lost = 0, token = NULL, failure = NULL"""
        .formatted(fresh);
  }

  /** Whether a row no longer blocks its key at the given time. */
  public static String isFree(String now) {
    return "(semel_job.state = 'G' OR (semel_job.state IN ('C', 'F', 'D')"
        + " AND semel_job.at_millis <= %s))".formatted(now);
  }

  /**
   * The columns and condition for {@link #readPresent} and {@link #readFree}: the job that has the
   * key.
   */
  public static String present(String now) {
    return KEY
        + ", job_id, fingerprint, state, attempts, %1$s - enqueued_millis, CASE WHEN %2$s THEN 1 ELSE 0 END"
            .formatted(now, isFree(now));
  }

  /** A job that was handed out, with its order; the row keeps the time at which it was due. */
  public record Taken(ReservedJob reserved, long due, long place) {
    public static final Comparator<Taken> NEXT =
        Comparator.comparing((Taken t) -> t.reserved().job().priority())
            .thenComparingLong(Taken::due)
            .thenComparingLong(Taken::place);
  }

  /** Any order would do, as long as every process uses the same one. */
  public static final Comparator<Job> BY_KEY = Comparator.comparing(job -> job.key().text());

  private JobRows() {}

  /** The approximate size of a job in a statement. */
  public static long bytes(Job job) {
    long bytes = job.payload().length;
    for (Map.Entry<String, String> header : job.headers().entrySet()) {
      bytes += header.getKey().length() + header.getValue().length();
    }
    return bytes;
  }

  public static Object[] key(Key key) {
    return new Object[] {key.operation().name(), key.tenant().name(), key.id()};
  }

  /** Reads the columns {@link #KEY}, which come first everywhere. */
  public static Key key(ResultSet rs) throws SQLException {
    return new Key(new Tenant(rs.getString(2)), new Operation(rs.getString(1)), rs.getString(3));
  }

  public static ExistingJob readPresent(ResultSet rs) throws SQLException {
    return new ExistingJob(
        rs.getString(4),
        new Fingerprint(RecordRows.text(rs, 5)),
        state(rs.getString(6)),
        rs.getInt(7),
        Duration.ofMillis(Math.max(0, rs.getLong(8))));
  }

  static boolean readFree(ResultSet rs) throws SQLException {
    return rs.getInt(9) == 1;
  }

  static Job job(ResultSet rs) throws SQLException {
    byte[] payload = rs.getBytes(10);
    try {
      return new Job(
          key(rs),
          rs.getString(4),
          payload == null ? new byte[0] : payload,
          OutboxRows.headers(RecordRows.text(rs, 9)),
          priority(rs.getInt(5)),
          new Fingerprint(RecordRows.text(rs, 8)),
          Duration.ofMillis(rs.getLong(6)),
          Duration.ofMillis(rs.getLong(7)));
    } catch (InvalidInput e) {
      throw new StoreException(
          "a row of semel_job was not written by this program: repair or delete it (%s)"
              .formatted(e.getMessage()),
          e);
    }
  }

  static Taken taken(ResultSet rs, Token token) throws SQLException {
    return new Taken(
        new ReservedJob(job(rs), token, rs.getInt(11), rs.getInt(12)),
        rs.getLong(13),
        rs.getLong(14));
  }

  static Entry entry(ResultSet rs) throws SQLException {
    return new Entry(
        key(rs),
        rs.getString(4),
        state(rs.getString(5)),
        priority(rs.getInt(6)),
        rs.getInt(7),
        rs.getInt(8),
        Instant.ofEpochMilli(rs.getLong(9)),
        Instant.ofEpochMilli(rs.getLong(10)),
        time(rs, 11),
        time(rs, 12),
        RecordRows.text(rs, 13));
  }

  private static Optional<Instant> time(ResultSet rs, int column) throws SQLException {
    long millis = rs.getLong(column);
    return rs.wasNull() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
  }

  /** The stored code; a smaller code runs earlier. */
  public static int code(JobPriority priority) {
    return switch (priority) {
      case HIGH -> 0;
      case NORMAL -> 1;
      case LOW -> 2;
    };
  }

  private static JobPriority priority(int code) {
    return switch (code) {
      case 0 -> JobPriority.HIGH;
      case 1 -> JobPriority.NORMAL;
      case 2 -> JobPriority.LOW;
      default -> throw notOurs("its priority is " + code);
    };
  }

  private static StoreException notOurs(String why) {
    return new StoreException(
        "a row of semel_job was not written by this program: repair or delete it (%s)"
            .formatted(why));
  }

  public static String code(DeadLetterReason why) {
    return switch (why) {
      case GAVE_UP -> GAVE_UP;
      case FINAL -> FAILED;
      case IN_DOUBT -> IN_DOUBT;
    };
  }

  /** The codes of states as a list in SQL. */
  static String codes(JobState state) {
    return switch (state) {
      case PENDING -> "'P'";
      case PROCESSING -> "'R'";
      case COMPLETED -> "'C'";
      case FAILED -> "'F', 'G'";
      case IN_DOUBT -> "'D'";
    };
  }

  static JobState state(String code) {
    return switch (code) {
      case PENDING -> JobState.PENDING;
      case PROCESSING -> JobState.PROCESSING;
      case COMPLETED -> JobState.COMPLETED;
      case FAILED, GAVE_UP -> JobState.FAILED;
      case IN_DOUBT -> JobState.IN_DOUBT;
      default -> throw notOurs("its state is " + PrintableText.quoted(code));
    };
  }

  /** The failure as databases accept it: without NUL and without half a surrogate pair. */
  public static String failure(String error) {
    String cut = JobQueue.cut(error);
    StringBuilder kept = new StringBuilder(cut.length());
    cut.codePoints()
        .map(
            c ->
                c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)
                    ? '\ufffd'
                    : c)
        .forEach(kept::appendCodePoint);
    return kept.toString();
  }
}
