package dev.semel.redis.internal;

import dev.semel.FirstExecution;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.StoredRecord;
import java.time.Duration;

/**
 * A record as Redis keeps it; {@link RecordCodec} has the bytes.
 *
 * @param leaseMillis counted from the last claim or renewal; only of a record in flight
 * @param retentionMillis what the string's time to live was at that moment; once ended, the
 *     retention to three digits; of a released record nothing
 */
record RedisRecord(
    RecordState state,
    Token token,
    int attempt,
    long leaseMillis,
    long retentionMillis,
    Fingerprint fingerprint,
    String requestId,
    Payload payload) {

  /** As it is with this much of its time to live left, both seen in the same step. */
  StoredRecord seenWith(byte[] name, long timeToLiveMillis) {
    if (timeToLiveMillis < 0) {
      throw new StoreException(
          "the Redis key %s has lost its time to live, so its lease can't be known: something else changed it (PERSIST, or a restored copy), so delete the key"
              .formatted(RedisKey.printable(name)));
    }
    long elapsed = retentionMillis - timeToLiveMillis;
    return existing(state == RecordState.IN_FLIGHT ? leaseMillis - elapsed : 0, timeToLiveMillis);
  }

  /**
   * An ended record as it came with the answer to a claim, without its time to live. What is left
   * of it is estimated, for people, as if the work had taken no time; no decision about an ended
   * record needs a clock.
   */
  StoredRecord endedSeenAt(long nowMillis) {
    return existing(
        0, Math.clamp(token.drawnAtMillis() + retentionMillis - nowMillis, 0, retentionMillis));
  }

  private StoredRecord existing(long leaseLeft, long retentionLeft) {
    long age = Math.max(0, System.currentTimeMillis() - token.drawnAtMillis());
    return new StoredRecord(
        state,
        token,
        fingerprint,
        Duration.ofMillis(leaseLeft),
        payload,
        new FirstExecution(
            requestId, attempt, Duration.ofMillis(age), Duration.ofMillis(retentionLeft)));
  }
}
