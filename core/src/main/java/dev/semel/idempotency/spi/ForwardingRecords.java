package dev.semel.idempotency.spi;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import java.time.Duration;
import java.util.Optional;

/** Forwards every call to other records, except those that you override. */
public interface ForwardingRecords extends IdempotencyStore {
  /** The records to forward to. */
  IdempotencyStore records();

  @Override
  default ClaimResult claim(ClaimRequest request) {
    return records().claim(request);
  }

  @Override
  default boolean renew(Key key, Token token, Duration lease) {
    return records().renew(key, token, lease);
  }

  @Override
  default boolean complete(Key key, Token token, ExecutionEnd ending, Duration retention) {
    return records().complete(key, token, ending, retention);
  }

  @Override
  default boolean release(Key key, Token token) {
    return records().release(key, token);
  }

  @Override
  default Optional<StoredRecord> find(Key key) {
    return records().find(key);
  }
}
