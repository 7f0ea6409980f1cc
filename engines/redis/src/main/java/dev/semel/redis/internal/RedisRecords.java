package dev.semel.redis.internal;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.StoredRecord;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Claims and ends records: one round trip each; two or three when a claim meets a live record. */
public final class RedisRecords implements IdempotencyStore {
  /**
   * How often a claim restarts because the record changed meanwhile; more means that something is
   * wrong.
   */
  static final int MAX_CLAIM_ROUNDS = 16;

  private final RedisLink link;

  public RedisRecords(RedisLink link) {
    this.link = link;
  }

  @Override
  public ClaimResult claim(ClaimRequest request) {
    byte[] name = RedisKey.name(request.key());
    byte[] first = RecordCodec.claimed(request, 1);
    long retention = RecordCodec.retentionMillis(request.retention());
    for (int round = 0; round < MAX_CLAIM_ROUNDS; round++) {
      byte[] met = link.setIfAbsent(name, first, retention);
      if (met == null) {
        return new ClaimResult.Granted(request.token(), 1, false);
      }
      ClaimResult claim = decide(request, name, met);
      if (claim != null) {
        return claim;
      }
    }
    throw new StoreException(
        "the key %s changed %d times while it was being claimed, so nothing was claimed: try again"
            .formatted(request.key(), MAX_CLAIM_ROUNDS));
  }

  /**
   * Decides on a claim.
   *
   * @return null when the record changed meanwhile: ask again
   */
  private @Nullable ClaimResult decide(ClaimRequest request, byte[] name, byte[] met) {
    RedisRecord record = RecordCodec.parse(name, met);
    byte[] value = met;
    StoredRecord existing;
    if (record.state().ended()) {
      existing = record.endedSeenAt(System.currentTimeMillis());
    } else {
      RedisLink.Seen seen = link.peek(name);
      if (seen == null) {
        return null;
      }
      value = seen.value();
      existing = RecordCodec.parse(name, value).seenWith(name, seen.timeToLive());
    }
    return switch (existing.decide(request)) {
      case StoredRecord.Decision.Answer a -> {
        if (a.claim() instanceof ClaimResult.Granted) {
          link.confirm(name); // our own claim, whose answer was lost
        }
        yield a.claim();
      }
      case StoredRecord.Decision.Take t -> take(request, name, value, t);
    };
  }

  private @Nullable ClaimResult take(
      ClaimRequest request, byte[] name, byte[] seen, StoredRecord.Decision.Take take) {
    boolean taken =
        link.run(
            RecordScript.TAKE,
            name,
            RecordCodec.header(seen),
            RecordCodec.claimed(request, take.attempt()),
            RedisLink.ascii(RecordCodec.retentionMillis(request.retention())));
    return taken
        ? new ClaimResult.Granted(request.token(), take.attempt(), take.takenOver())
        : null;
  }

  @Override
  public boolean renew(Key key, Token token, Duration lease) {
    return link.run(
        RecordScript.RENEW,
        RedisKey.name(key),
        RecordCodec.token(token),
        RedisLink.ascii(RecordCodec.leaseMillis(lease)));
  }

  @Override
  public boolean complete(Key key, Token token, ExecutionEnd ending, Duration retention) {
    return link.run(
        RecordScript.COMPLETE,
        RedisKey.name(key),
        RecordCodec.token(token),
        new byte[] {(byte) ending.state().code()},
        RedisLink.ascii(RecordCodec.retentionMillis(retention)),
        RecordCodec.rounded(retention),
        RecordCodec.tail(ending.payload()));
  }

  @Override
  public boolean release(Key key, Token token) {
    return link.run(RecordScript.RELEASE, RedisKey.name(key), RecordCodec.token(token));
  }

  @Override
  public Optional<StoredRecord> find(Key key) {
    byte[] name = RedisKey.name(key);
    RedisLink.Seen seen = link.peek(name);
    return seen == null
        ? Optional.empty()
        : Optional.of(RecordCodec.parse(name, seen.value()).seenWith(name, seen.timeToLive()));
  }
}
