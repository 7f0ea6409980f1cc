package dev.semel.idempotency.internal;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.TimingListener;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.ForwardingRecords;
import dev.semel.idempotency.spi.ForwardingStore;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.Store;
import java.time.Duration;

/** Measures a store from outside, so that all engines are measured the same way. */
public final class TimedStore implements ForwardingStore {
  private final Store store;
  private final IdempotencyStore records;

  public TimedStore(Store store, TimingListener timings) {
    this.store = store;
    this.records = new Timed(store.idempotency(), timings);
  }

  private record Timed(IdempotencyStore records, TimingListener timings)
      implements ForwardingRecords {
    /** Measures failed claims too, because they are the slow ones. */
    @Override
    public ClaimResult claim(ClaimRequest request) {
      long started = System.nanoTime();
      try {
        return records.claim(request);
      } finally {
        timings.checked(request.key().operation(), Duration.ofNanos(System.nanoTime() - started));
      }
    }

    @Override
    public boolean complete(Key key, Token token, ExecutionEnd ending, Duration retention) {
      boolean completed = records.complete(key, token, ending, retention);
      if (completed) {
        timings.kept(key.operation(), retention);
      }
      return completed;
    }
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public IdempotencyStore idempotency() {
    return records;
  }
}
