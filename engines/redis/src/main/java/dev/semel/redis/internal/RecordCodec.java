package dev.semel.redis.internal;

import dev.semel.FirstExecution;
import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.StoredRecord;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;

/**
 * Records as the bytes of one Redis string, big-endian. There may be millions, so the usual values
 * (a first attempt, a SHA-256, no request id) take little or no space.
 *
 * <pre>
 *  0      state code
 *  1..16  token
 * 17      shape: which of the parts below are there
 * 18..    in flight: 4 bytes lease in ms, 6 bytes retention in ms
 *         ended:     2 bytes retention in ms, in 5 bits exponent and 11 bits mantissa
 * then    attempt, 4 bytes, unless it is the first
 *         fingerprint: 32 bytes SHA-256, or 2 bytes length and text
 *         request id: 1 byte length and text
 *         payload, once ended: 1 byte length and text of its type, then its bytes
 * </pre>
 *
 * Scripts also read and write the bytes up to lease and retention. A released record has lost its
 * fingerprint and payload.
 */
public final class RecordCodec {
  /** The part that scripts compare: state, token, shape, and in flight lease and retention. */
  static final int HEADER_BYTES = 28;

  /** The offset after state, token and shape. */
  private static final int TIMES_AT = 18;

  static final int SHA256 = 1;
  static final int TEXT = 2;
  static final int REQUEST_ID = 4;
  static final int LATER_ATTEMPT = 8;
  static final int PAYLOAD = 16;

  private static final int ALL_PARTS = 31;
  private static final int MANTISSA_BITS = 11;
  private static final int TOKEN_BYTES = 16;
  private static final int SHA256_BYTES = 32;
  private static final byte[] NOTHING = {};

  private RecordCodec() {}

  /** The bytes of a new claim. */
  public static byte[] claimed(ClaimRequest request, int attempt) {
    return record(
        RecordState.IN_FLIGHT,
        request.token(),
        inFlight(leaseMillis(request.lease()), retentionMillis(request.retention())),
        attempt,
        request.fingerprint(),
        request.requestId(),
        NOTHING);
  }

  /** The bytes of an imported record, with the rest of its times. */
  static byte[] adopted(StoredRecord brought) {
    FirstExecution original = brought.original();
    RecordState state = brought.state();
    boolean released = state == RecordState.RELEASED;
    return record(
        state,
        brought.token(),
        switch (state) {
          case IN_FLIGHT -> inFlight(leaseLeftMillis(brought), timeToLive(brought));
          case COMPLETED, FAILED -> rounded(original.retentionLeft());
          case RELEASED -> NOTHING;
        },
        original.attempt(),
        released ? Fingerprint.NONE : brought.fingerprint(),
        original.requestId(),
        state.ended() ? tail(brought.payload()) : NOTHING);
  }

  /** How long to keep an imported record; in flight at least until its lease ends. */
  static long timeToLive(StoredRecord brought) {
    long retention = retentionMillis(brought.original().retentionLeft());
    return brought.state() == RecordState.IN_FLIGHT
        ? Math.max(retention, leaseLeftMillis(brought))
        : retention;
  }

  /** The rest of the lease; at least zero. */
  private static long leaseLeftMillis(StoredRecord brought) {
    return brought.leaseLeft().isPositive() ? leaseMillis(brought.leaseLeft()) : 0;
  }

  private static byte[] inFlight(long lease, long retention) {
    ByteBuffer times = ByteBuffer.allocate(Integer.BYTES + Short.BYTES + Integer.BYTES);
    times.putInt((int) lease);
    putLong48(times, retention);
    return times.array();
  }

  private static byte[] record(
      RecordState state,
      Token token,
      byte[] times,
      int attempt,
      Fingerprint fingerprint,
      String id,
      byte[] tail) {
    byte[] sha256 = sha256OrEmpty(fingerprint);
    byte[] text = sha256.length > 0 ? NOTHING : fingerprint.text().getBytes(StandardCharsets.UTF_8);
    byte[] requestId = id.getBytes(StandardCharsets.UTF_8);
    int shape =
        (sha256.length > 0 ? SHA256 : 0)
            | (text.length > 0 ? TEXT : 0)
            | (requestId.length > 0 ? REQUEST_ID : 0)
            | (attempt > 1 ? LATER_ATTEMPT : 0)
            | (tail.length > 0 ? PAYLOAD : 0);
    int length =
        TIMES_AT
            + times.length
            + (attempt > 1 ? Integer.BYTES : 0)
            + sha256.length
            + (text.length > 0 ? Short.BYTES + text.length : 0)
            + (requestId.length > 0 ? 1 + requestId.length : 0)
            + tail.length;
    ByteBuffer out = ByteBuffer.allocate(length);
    out.put((byte) state.code());
    putToken(out, token);
    out.put((byte) shape).put(times);
    if (attempt > 1) {
      out.putInt(attempt);
    }
    out.put(sha256);
    if (text.length > 0) {
      out.putShort((short) text.length).put(text);
    }
    if (requestId.length > 0) {
      out.put((byte) requestId.length).put(requestId);
    }
    return out.put(tail).array();
  }

  /** Only a lower-case hash survives the conversion to bytes and back. */
  private static byte[] sha256OrEmpty(Fingerprint fingerprint) {
    String text = fingerprint.text();
    for (int i = text.length() - 2 * SHA256_BYTES; i >= 0 && i < text.length(); i++) {
      char c = text.charAt(i);
      if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
        return NOTHING;
      }
    }
    return fingerprint.sha256OrEmpty();
  }

  /** The bytes that the end of an execution adds to its claim; none for an empty payload. */
  static byte[] tail(Payload payload) {
    if (payload.type().isEmpty() && payload.bytes().length == 0) {
      return NOTHING;
    }
    byte[] type = payload.type().getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(1 + type.length + payload.bytes().length)
        .put((byte) type.length)
        .put(type)
        .put(payload.bytes())
        .array();
  }

  /**
   * The retention to three digits, rounded down: after the end only operators see it, and Redis
   * knows the exact end.
   */
  static byte[] rounded(Duration retention) {
    long millis = retentionMillis(retention);
    int exponent = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(millis) - MANTISSA_BITS);
    int code = exponent << MANTISSA_BITS | (int) (millis >>> exponent);
    return new byte[] {(byte) (code >>> Byte.SIZE), (byte) code};
  }

  private static long rounded(short code) {
    long mantissa = code & ((1 << MANTISSA_BITS) - 1);
    return mantissa << (Short.toUnsignedInt(code) >>> MANTISSA_BITS);
  }

  static byte[] token(Token token) {
    ByteBuffer out = ByteBuffer.allocate(TOKEN_BYTES);
    putToken(out, token);
    return out.array();
  }

  /** The part that scripts compare; may be shorter, because the value may be foreign. */
  static byte[] header(byte[] value) {
    return Arrays.copyOf(value, Math.min(value.length, HEADER_BYTES));
  }

  /** At least a millisecond, because Redis rejects a time to live of zero. */
  static long retentionMillis(Duration retention) {
    return millis("retention", retention, ClaimRequest.MAX_RETENTION);
  }

  static long leaseMillis(Duration lease) {
    return millis("lease", lease, ClaimRequest.MAX_LEASE);
  }

  private static long millis(String what, Duration duration, Duration max) {
    if (duration.compareTo(max) > 0) {
      throw new InvalidInput("a %s is at most %s, not %s".formatted(what, max, duration));
    }
    return Math.max(1, duration.toMillis());
  }

  /** Parses a record. Refuses a foreign value under our key instead of misreading it. */
  static RedisRecord parse(byte[] name, byte[] value) {
    try {
      return parse(ByteBuffer.wrap(value));
    } catch (BufferUnderflowException | IllegalArgumentException | IllegalStateException e) {
      throw new StoreException(
          "the Redis key %s holds %d bytes that are no record: something else writes under %s, so give Semel a database of its own and delete the key"
              .formatted(RedisKey.printable(name), value.length, RedisKey.PREFIX),
          e);
    }
  }

  private static RedisRecord parse(ByteBuffer in) {
    RecordState state = RecordState.of((char) in.get());
    Token token = new Token(new UUID(in.getLong(), in.getLong()));
    int shape = in.get();
    check((shape & ~ALL_PARTS) == 0 && (state.ended() || (shape & PAYLOAD) == 0));
    boolean inFlight = state == RecordState.IN_FLIGHT;
    long lease = inFlight ? Integer.toUnsignedLong(in.getInt()) : 0;
    long retention = inFlight ? long48(in) : state.ended() ? rounded(in.getShort()) : 0;
    int attempt = (shape & LATER_ATTEMPT) == 0 ? 1 : in.getInt();
    check(attempt >= 1);
    Fingerprint fingerprint = fingerprint(shape, in);
    String requestId = (shape & REQUEST_ID) == 0 ? "" : text(in, Byte.toUnsignedInt(in.get()));
    Payload payload = Payload.EMPTY;
    if ((shape & PAYLOAD) != 0) {
      String type = text(in, Byte.toUnsignedInt(in.get()));
      payload = new Payload(type, bytes(in, in.remaining()));
    }
    check(!in.hasRemaining());
    return new RedisRecord(
        state, token, attempt, lease, retention, fingerprint, requestId, payload);
  }

  private static Fingerprint fingerprint(int shape, ByteBuffer in) {
    return switch (shape & (SHA256 | TEXT)) {
      case 0 -> Fingerprint.NONE;
      case SHA256 -> Fingerprint.ofSha256(bytes(in, SHA256_BYTES));
      case TEXT -> new Fingerprint(text(in, Short.toUnsignedInt(in.getShort())));
      default -> throw new IllegalStateException("two fingerprints");
    };
  }

  private static void check(boolean holds) {
    if (!holds) {
      throw new IllegalStateException("no record has these bytes");
    }
  }

  private static void putToken(ByteBuffer out, Token token) {
    out.putLong(token.value().getMostSignificantBits());
    out.putLong(token.value().getLeastSignificantBits());
  }

  private static void putLong48(ByteBuffer out, long value) {
    out.putShort((short) (value >>> Integer.SIZE)).putInt((int) value);
  }

  private static long long48(ByteBuffer in) {
    return (long) Short.toUnsignedInt(in.getShort()) << Integer.SIZE
        | Integer.toUnsignedLong(in.getInt());
  }

  /** Checks the length before allocating, because a foreign value may hold any number. */
  private static byte[] bytes(ByteBuffer in, int length) {
    if (length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static String text(ByteBuffer in, int length) {
    return new String(bytes(in, length), StandardCharsets.UTF_8);
  }
}
