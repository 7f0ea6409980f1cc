package dev.semel.idempotency;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.Store;
import dev.semel.idempotency.spi.StoredRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Stands before a real store, counts what it is asked, and loses requests or answers by order. */
public class FaultyStore extends DisturbedStore {
  public enum Fault {
    /** The call never reaches the store. */
    REQUEST_LOST,
    /** The call takes effect, but its caller does not hear of it. */
    ANSWER_LOST
  }

  public final AtomicInteger claims = new AtomicInteger();
  final AtomicInteger renewals = new AtomicInteger();
  final AtomicInteger completions = new AtomicInteger();
  public final ConcurrentLinkedQueue<Fault> onClaim = new ConcurrentLinkedQueue<>();
  final ConcurrentLinkedQueue<Fault> onComplete = new ConcurrentLinkedQueue<>();
  final ConcurrentLinkedQueue<Fault> onRenew = new ConcurrentLinkedQueue<>();
  public volatile boolean completionsLost;

  /** No call reaches the store. */
  public volatile boolean away;

  /** Happens once, while the next claim is on its way. */
  @Nullable public Runnable during;

  public FaultyStore(Store store) {
    super(store);
  }

  @Override
  public boolean release(Key key, Token token) {
    return suffering(null, () -> super.release(key, token));
  }

  @Override
  public Optional<StoredRecord> find(Key key) {
    return suffering(null, () -> super.find(key));
  }

  @Override
  public ClaimResult claim(ClaimRequest request) {
    claims.incrementAndGet();
    Fault fault = onClaim.poll();
    Runnable meanwhile = during;
    during = null;
    if (meanwhile != null) {
      meanwhile.run();
    }
    return suffering(fault, () -> super.claim(request));
  }

  @Override
  public boolean renew(Key key, Token token, Duration lease) {
    renewals.incrementAndGet();
    return suffering(onRenew.poll(), () -> super.renew(key, token, lease));
  }

  @Override
  public boolean complete(Key key, Token token, ExecutionEnd ending, Duration retention) {
    completions.incrementAndGet();
    Fault fault = completionsLost ? Fault.REQUEST_LOST : onComplete.poll();
    return suffering(fault, () -> super.complete(key, token, ending, retention));
  }

  private <T> T suffering(@Nullable Fault fault, Supplier<T> call) {
    if (away || fault == Fault.REQUEST_LOST) {
      throw new StoreException("the request was lost");
    }
    T answer = call.get();
    if (fault == Fault.ANSWER_LOST) {
      throw new StoreException("the answer was lost");
    }
    return answer;
  }
}
