package dev.semel.idempotency.spi;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import java.time.Duration;
import java.util.Optional;

/**
 * The records of an engine, which make an operation take effect once. Each call is one atomic step
 * on the store's own clock, and may be repeated with the same token when its answer was lost.
 *
 * <p>The contract, as tests, is {@code IdempotencyStoreContract} in semel-tck. Implementations are
 * safe for use by many threads, and many processes may share one engine.
 *
 * <p>Every method throws {@link StoreException} when the store does not answer.
 */
public interface IdempotencyStore {
  /**
   * Decides which caller runs. A grant is durable, as far as the engine can make it, before it is
   * returned.
   */
  ClaimResult claim(ClaimRequest request);

  /**
   * Restarts the lease from now, and keeps the record at least as long. False: the token no longer
   * holds the key. A lease that ended but was not taken over can still be renewed, because the
   * token decides and not the clock.
   */
  boolean renew(Key key, Token token, Duration lease);

  /**
   * Records the end, kept for {@code retention} from now. False: the token no longer holds the key,
   * and nothing was written. True again if the same token ended it before.
   */
  boolean complete(Key key, Token token, ExecutionEnd ending, Duration retention);

  /**
   * Releases the key so that the next claim is granted; the attempt counter stays. False: the token
   * no longer holds the key. True again if the same token released it before.
   */
  boolean release(Key key, Token token);

  /** The record, if there is one and its retention has not ended. */
  Optional<StoredRecord> find(Key key);
}
