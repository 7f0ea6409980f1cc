package dev.semel.proof.history;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.ForwardingRecords;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.StoredRecord;
import java.time.Duration;
import java.util.Optional;

/** A correct store used wrongly, as its {@link Mutant} says. */
final class MutatedStore implements ForwardingRecords {
  private final IdempotencyStore store;
  private final Mutant mutant;
  private final Runnable between;

  MutatedStore(IdempotencyStore store, Mutant mutant, Runnable between) {
    this.store = store;
    this.mutant = mutant;
    this.between = between;
  }

  @Override
  public IdempotencyStore records() {
    return store;
  }

  @Override
  public ClaimResult claim(ClaimRequest request) {
    return switch (mutant) {
      case NO_ATOMIC_CLAIM -> lookThenWrite(request);
      case NO_LEASE_FIELD ->
          store.claim(
              new ClaimRequest(
                  request.key(),
                  request.token(),
                  request.fingerprint(),
                  request.lease(),
                  request.lease(),
                  request.takeover(),
                  request.requestId()));
      case NO_FENCING, NO_RENEWAL -> store.claim(request);
    };
  }

  private ClaimResult lookThenWrite(ClaimRequest request) {
    Optional<StoredRecord.Decision> seen =
        store.find(request.key()).map(existing -> existing.decide(request));
    if (seen.isPresent() && seen.get() instanceof StoredRecord.Decision.Answer answer) {
      return answer.claim();
    }
    between.run();
    ClaimResult written = store.claim(request);
    if (written instanceof ClaimResult.Granted) {
      return written;
    }
    // The race is lost, and the winner's record is written over.
    store.find(request.key()).ifPresent(won -> store.release(request.key(), won.token()));
    store.claim(request);
    return seen.isPresent() && seen.get() instanceof StoredRecord.Decision.Take take
        ? new ClaimResult.Granted(request.token(), take.attempt(), take.takenOver())
        : new ClaimResult.Granted(request.token(), 1, false);
  }

  @Override
  public boolean renew(Key key, Token token, Duration lease) {
    if (mutant == Mutant.NO_RENEWAL) {
      return store
          .find(key)
          .filter(found -> found.state() == RecordState.IN_FLIGHT && found.token().equals(token))
          .isPresent();
    }
    return store.renew(key, unfenced(key, token), lease);
  }

  @Override
  public boolean complete(Key key, Token token, ExecutionEnd ending, Duration retention) {
    return store.complete(key, unfenced(key, token), ending, retention);
  }

  @Override
  public boolean release(Key key, Token token) {
    return store.release(key, unfenced(key, token));
  }

  /** Whoever holds the key is taken for the one who asks. */
  private Token unfenced(Key key, Token token) {
    if (mutant != Mutant.NO_FENCING) {
      return token;
    }
    Token holder = store.find(key).map(StoredRecord::token).orElse(token);
    between.run();
    return holder;
  }
}
