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
 * A record as stored in Redis; {@link RecordCodec} defines its bytes.
 *
 * @param leaseMillis the lease from the last claim or renewal; only in flight
 * @param retentionMillis the string's time to live at that moment; once ended, the retention to
 *     three digits; nothing for a released record
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

  /** The record, given the string's remaining time to live from the same moment. */
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
   * An ended record that came with a claim's answer, without its time to live. The rest of its
   * retention is only estimated, as if the work had taken no time; no decision about an ended
   * record needs it.
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
