package dev.semel.redis;

import dev.semel.InvalidInput;
import dev.semel.Original;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.ClaimRequest;
import dev.semel.idempotency.Existing;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.State;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;

/**
 * A record as the bytes of one Redis string, big-endian:
 *
 * <pre>
 *  0      state code
 *  1..16  token
 * 17..20  attempt
 * 21..24  lease in ms, counted from the last claim or renewal
 * 25..30  retention in ms: what the string's time to live was when it was last set
 * 31..36  when it ended, in ms since the epoch on Redis's clock; 0 before
 * 37..    fingerprint: 0, or 1 and a raw SHA-256, or 2 and its text with a 2-byte length
 *         request id with a 1-byte length
 *         once ended: payload's type with a 1-byte length, then the payload
 * </pre>
 *
 * The first 37 bytes are all that scripts compare and rewrite. A released record has lost its
 * fingerprint and payload.
 */
record RedisRecord(
    State state,
    Token token,
    int attempt,
    long lease,
    long retention,
    long endedAt,
    Fingerprint fingerprint,
    String requestId,
    Payload payload) {
  static final int HEADER_BYTES = 37;

  private static final int SHA256_BYTES = 32;
  private static final byte NO_FINGERPRINT = 0;
  private static final byte SHA256_FINGERPRINT = 1;
  private static final byte TEXT_FINGERPRINT = 2;

  /** What a claimant writes: in flight from now on. */
  static byte[] claimed(ClaimRequest request, int attempt) {
    byte[] sha256 = request.fingerprint().sha256OrEmpty();
    byte[] text =
        sha256.length > 0 ? sha256 : request.fingerprint().text().getBytes(StandardCharsets.UTF_8);
    byte[] requestId = request.requestId().getBytes(StandardCharsets.UTF_8);
    boolean asText = sha256.length == 0 && text.length > 0;
    ByteBuffer out =
        ByteBuffer.allocate(
            HEADER_BYTES + 1 + (asText ? Short.BYTES : 0) + text.length + 1 + requestId.length);
    out.put((byte) State.IN_FLIGHT.code());
    putToken(out, request.token());
    out.putInt(attempt);
    out.putInt((int) leaseMillis(request.lease()));
    putLong48(out, retentionMillis(request.retention()));
    putLong48(out, 0);
    if (asText) {
      out.put(TEXT_FINGERPRINT).putShort((short) text.length);
    } else {
      out.put(text.length == 0 ? NO_FINGERPRINT : SHA256_FINGERPRINT);
    }
    out.put(text);
    out.put((byte) requestId.length).put(requestId);
    return out.array();
  }

  /** What the end of an execution adds to the bytes of its claim. */
  static byte[] tail(Payload payload) {
    byte[] type = payload.type().getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(1 + type.length + payload.bytes().length)
        .put((byte) type.length)
        .put(type)
        .put(payload.bytes())
        .array();
  }

  static byte[] tokenBytes(Token token) {
    ByteBuffer out = ByteBuffer.allocate(2 * Long.BYTES);
    putToken(out, token);
    return out.array();
  }

  /** Where a record has its token; of a value that is none, whatever stands there. */
  static byte[] tokenBytes(byte[] value) {
    return Arrays.copyOfRange(Arrays.copyOf(value, HEADER_BYTES), 1, 1 + 2 * Long.BYTES);
  }

  /** Redis takes no time to live of zero; a millisecond is as good as none. */
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

  /** Refuses what something else wrote under a key of ours, instead of misreading it. */
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
    State state = State.of((char) in.get());
    Token token = new Token(new UUID(in.getLong(), in.getLong()));
    int attempt = in.getInt();
    long lease = Integer.toUnsignedLong(in.getInt());
    long retention = long48(in);
    long endedAt = long48(in);
    if (attempt < 1 || retention < 1) {
      throw new IllegalStateException("attempt " + attempt + ", retention " + retention);
    }
    Fingerprint fingerprint = fingerprint(in);
    String requestId = text(in, Byte.toUnsignedInt(in.get()));
    Payload payload = Payload.EMPTY;
    if (state.ended()) {
      String type = text(in, Byte.toUnsignedInt(in.get()));
      payload = new Payload(type, bytes(in, in.remaining()));
    } else if (in.hasRemaining()) {
      throw new IllegalStateException(in.remaining() + " bytes too many");
    }
    return new RedisRecord(
        state, token, attempt, lease, retention, endedAt, fingerprint, requestId, payload);
  }

  private static Fingerprint fingerprint(ByteBuffer in) {
    byte form = in.get();
    return switch (form) {
      case NO_FINGERPRINT -> Fingerprint.NONE;
      case SHA256_FINGERPRINT -> Fingerprint.ofSha256(bytes(in, SHA256_BYTES));
      case TEXT_FINGERPRINT -> new Fingerprint(text(in, Short.toUnsignedInt(in.getShort())));
      default -> throw new IllegalStateException("no fingerprint has the form " + form);
    };
  }

  /** As it is with this much of its time to live left, both seen in the same step. */
  Existing seenWith(byte[] name, long timeToLive) {
    if (timeToLive < 0) {
      throw new StoreException(
          "the Redis key %s has lost its time to live, so its lease can't be known: something else changed it (PERSIST, or a restored copy), so delete the key"
              .formatted(RedisKey.printable(name)));
    }
    long elapsed = retention - timeToLive;
    return existing(lease - elapsed, timeToLive);
  }

  /**
   * An ended record as it came with the answer to a claim, without its time to live. The estimate
   * is for people; no decision about an ended record needs a clock.
   */
  Existing endedSeenAt(long nowMillis) {
    return existing(0, Math.clamp(endedAt + retention - nowMillis, 0, retention));
  }

  private Existing existing(long leaseLeft, long retentionLeft) {
    Duration age =
        Duration.ofMillis(Math.max(0, System.currentTimeMillis() - token.drawnAtMillis()));
    return new Existing(
        state,
        token,
        fingerprint,
        Duration.ofMillis(leaseLeft),
        payload,
        new Original(requestId, attempt, age, Duration.ofMillis(retentionLeft)));
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

  /** The length is checked before it is allocated: a foreign value may say anything. */
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
