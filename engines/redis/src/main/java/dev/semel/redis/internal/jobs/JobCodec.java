package dev.semel.redis.internal.jobs;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.Fingerprint;
import dev.semel.job.EnqueueResult;
import dev.semel.job.Job;
import dev.semel.job.JobPriority;
import dev.semel.job.spi.JobOperations.Entry;
import dev.semel.job.spi.ReservedJob;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Converts jobs to the fields that {@link JobScript} describes, and back. */
public final class JobCodec {
  /** The number of parts in a script's answer for a job with payload. */
  public static final int JOB_PARTS = 7;

  /** The number of parts in a script's answer for a job without payload. */
  static final int ENTRY_PARTS = 4;

  /** The number of ENQUEUE's arguments per job. */
  static final int ENQUEUE_PARTS = 6;

  /** The order in which jobs are handed out. */
  public static final Comparator<Read> NEXT =
      Comparator.comparing((Read r) -> r.job().priority())
          .thenComparingLong(r -> r.standing().due());

  private static final int INFO_BYTES = 18;
  private static final byte[] NOTHING = {};
  private static final byte HASHED = 'S';
  private static final byte TEXT = 'T';
  private static final int NANOS_PER_MICRO = 1000;
  private static final int MICROS_PER_SECOND = 1_000_000;

  private JobCodec() {}

  /** The changing part of a job. */
  record Standing(
      byte code, Token token, int attempts, int lost, long due, long started, long ended) {
    static Standing parse(byte[] s) {
      ByteBuffer in = ByteBuffer.wrap(s);
      byte code = in.get();
      Token token = new Token(new UUID(in.getLong(), in.getLong()));
      return new Standing(
          code, token, in.getInt(), in.getInt(), get(in, 7), get(in, 7), get(in, 7));
    }
  }

  /** The constant part of a job. */
  record Fixed(JobPriority priority, long enqueued, Duration retention, int bytes, String id) {
    static Fixed parse(byte[] i) {
      ByteBuffer in = ByteBuffer.wrap(i);
      JobPriority priority = JobCodec.priority(in.get());
      long enqueued = get(in, 7);
      Duration retention = Duration.ofMillis(get(in, 6));
      int bytes = in.getInt();
      return new Fixed(
          priority,
          enqueued,
          retention,
          bytes,
          new String(i, INFO_BYTES, i.length - INFO_BYTES, StandardCharsets.UTF_8));
    }
  }

  /** A job from a script's answer, and when it was due. */
  public record Read(Job job, Standing standing) {
    public ReservedJob reserved() {
      return new ReservedJob(job, standing.token(), standing.attempts(), standing.lost());
    }
  }

  /** Puts ENQUEUE's arguments for a job at a place in the array. */
  static void put(Job job, byte[] member, byte[][] to, int at) {
    to[at] = member;
    to[at + 1] = info(job);
    to[at + 2] = fingerprint(job.fingerprint());
    to[at + 3] = job.delay().isZero() ? NOTHING : delay(job.delay());
    to[at + 4] = headers(job.headers());
    to[at + 5] = job.payload();
  }

  private static byte[] info(Job job) {
    byte[] id = job.id().getBytes(StandardCharsets.UTF_8);
    ByteBuffer out = ByteBuffer.allocate(INFO_BYTES - 7 + id.length);
    out.put(priority(job.priority()));
    put(out, retentionMillis(job.retention()), 6);
    return out.putInt(job.payload().length).put(id).array();
  }

  public static byte priority(JobPriority priority) {
    return switch (priority) {
      case HIGH -> '0';
      case NORMAL -> '1';
      case LOW -> '2';
    };
  }

  private static JobPriority priority(byte code) {
    return switch (code) {
      case '0' -> JobPriority.HIGH;
      case '1' -> JobPriority.NORMAL;
      case '2' -> JobPriority.LOW;
      default -> throw new IllegalArgumentException("no priority has the code " + code);
    };
  }

  /**
   * At least a millisecond, because Redis has no shorter time, and a worker must still find the
   * record of its finished job.
   */
  public static long retentionMillis(Duration retention) {
    long millis = retention.toMillis();
    return Math.max(1, retention.minusMillis(millis).isZero() ? millis : millis + 1);
  }

  public static long micros(Duration duration) {
    return Math.addExact(
        Math.multiplyExact(duration.getSeconds(), MICROS_PER_SECOND),
        duration.getNano() / NANOS_PER_MICRO);
  }

  private static byte[] delay(Duration delay) {
    ByteBuffer out = ByteBuffer.allocate(7);
    put(out, micros(delay), 7);
    return out.array();
  }

  private static byte[] fingerprint(Fingerprint fingerprint) {
    if (fingerprint.text().isEmpty()) {
      return NOTHING;
    }
    byte[] hash = fingerprint.sha256OrEmpty();
    byte[] rest = hash.length > 0 ? hash : fingerprint.text().getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(1 + rest.length)
        .put(hash.length > 0 ? HASHED : TEXT)
        .put(rest)
        .array();
  }

  private static Fingerprint fingerprint(byte[] bytes) {
    if (bytes.length == 0) {
      return Fingerprint.NONE;
    }
    byte[] rest = new byte[bytes.length - 1];
    System.arraycopy(bytes, 1, rest, 0, rest.length);
    return bytes[0] == HASHED
        ? Fingerprint.ofSha256(rest)
        : new Fingerprint(new String(rest, StandardCharsets.UTF_8));
  }

  /** Each name and value follows its length. */
  private static byte[] headers(Map<String, String> headers) {
    if (headers.isEmpty()) {
      return NOTHING;
    }
    List<byte[]> texts = new ArrayList<>(2 * headers.size());
    headers.forEach(
        (name, value) -> {
          texts.add(name.getBytes(StandardCharsets.UTF_8));
          texts.add(value.getBytes(StandardCharsets.UTF_8));
        });
    int bytes = texts.stream().mapToInt(text -> Integer.BYTES + text.length).sum();
    ByteBuffer out = ByteBuffer.allocate(bytes);
    texts.forEach(text -> out.putInt(text.length).put(text));
    return out.array();
  }

  private static Map<String, String> headers(byte[] bytes) {
    if (bytes.length == 0) {
      return Map.of();
    }
    Map<String, String> headers = new LinkedHashMap<>();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    while (in.hasRemaining()) {
      headers.put(text(in), text(in));
    }
    return headers;
  }

  private static String text(ByteBuffer in) {
    byte[] bytes = new byte[in.getInt()];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** The job that begins at a place in a script's answer. */
  public static Read read(JobShard shard, List<Object> answer, int at) {
    Key key = shard.key((byte[]) answer.get(at));
    try {
      Standing standing = Standing.parse((byte[]) answer.get(at + 1));
      Fixed info = Fixed.parse((byte[]) answer.get(at + 2));
      byte[] delay = (byte[]) answer.get(at + 4);
      Job job =
          new Job(
              key,
              info.id(),
              (byte[]) answer.get(at + 6),
              headers((byte[]) answer.get(at + 5)),
              info.priority(),
              fingerprint((byte[]) answer.get(at + 3)),
              delay.length == 0
                  ? Duration.ZERO
                  : duration(get(ByteBuffer.wrap(delay), delay.length)),
              info.retention());
      return new Read(job, standing);
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw notOurs(key, e);
    }
  }

  static Entry entry(JobShard shard, List<Object> answer, int at) {
    Key key = shard.key((byte[]) answer.get(at));
    try {
      Standing standing = Standing.parse((byte[]) answer.get(at + 1));
      Fixed info = Fixed.parse((byte[]) answer.get(at + 2));
      return new Entry(
          key,
          info.id(),
          JobIndex.state(standing.code()),
          info.priority(),
          info.bytes(),
          standing.attempts(),
          instant(info.enqueued()),
          instant(standing.due()),
          optional(standing.started()),
          optional(standing.ended()),
          new String((byte[]) answer.get(at + 3), StandardCharsets.UTF_8));
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw notOurs(key, e);
    }
  }

  static EnqueueResult.Original original(byte[] s, byte[] i, long now) {
    Standing standing = Standing.parse(s);
    Fixed info = Fixed.parse(i);
    // Never negative: after a failover another clock may count.
    Duration age = duration(Math.max(0, now - info.enqueued()));
    return new EnqueueResult.Original(
        info.id(), JobIndex.state(standing.code()), standing.attempts(), age);
  }

  private static StoreException notOurs(Key key, Exception cause) {
    return new StoreException(
        "the record of job %s is not one that this version wrote: purge it, or use the version that did"
            .formatted(key),
        cause);
  }

  public static byte[] token(Token token) {
    return ByteBuffer.allocate(Long.BYTES * 2)
        .putLong(token.value().getMostSignificantBits())
        .putLong(token.value().getLeastSignificantBits())
        .array();
  }

  static Duration duration(long micros) {
    return Duration.ofSeconds(
        micros / MICROS_PER_SECOND, micros % MICROS_PER_SECOND * NANOS_PER_MICRO);
  }

  private static Instant instant(long micros) {
    return Instant.EPOCH.plus(duration(micros));
  }

  private static Optional<Instant> optional(long micros) {
    return micros == 0 ? Optional.empty() : Optional.of(instant(micros));
  }

  private static void put(ByteBuffer out, long number, int bytes) {
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
      out.put((byte) (number >>> shift));
    }
  }

  private static long get(ByteBuffer in, int bytes) {
    long number = 0;
    for (int i = 0; i < bytes; i++) {
      number = number << 8 | (in.get() & 0xff);
    }
    return number;
  }
}
