package dev.semel.proof.history;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.ForwardingRecords;
import dev.semel.idempotency.spi.IdempotencyStore;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Every so manyth call fails: in turn before it reached the store, and after. */
final class LosingStore implements ForwardingRecords {
  private final IdempotencyStore store;
  private final int every;
  private final AtomicInteger calls = new AtomicInteger();

  LosingStore(IdempotencyStore store, int every) {
    this.store = store;
    this.every = every;
  }

  private <T> T maybe(Supplier<T> call) {
    int n = calls.incrementAndGet();
    if (n % (2 * every) == 0) {
      throw new StoreException("the call was lost");
    }
    T answer = call.get();
    if (n % every == 0) {
      throw new StoreException("the answer was lost");
    }
    return answer;
  }

  @Override
  public IdempotencyStore records() {
    return store;
  }

  @Override
  public ClaimResult claim(ClaimRequest request) {
    return maybe(() -> store.claim(request));
  }

  @Override
  public boolean renew(Key key, Token token, Duration lease) {
    return maybe(() -> store.renew(key, token, lease));
  }

  @Override
  public boolean complete(Key key, Token token, ExecutionEnd ending, Duration retention) {
    return maybe(() -> store.complete(key, token, ending, retention));
  }

  @Override
  public boolean release(Key key, Token token) {
    return maybe(() -> store.release(key, token));
  }
}
