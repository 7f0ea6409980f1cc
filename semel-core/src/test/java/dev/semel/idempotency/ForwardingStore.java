package dev.semel.idempotency;

import dev.semel.Key;
import dev.semel.Token;
import java.time.Duration;
import java.util.Optional;

/** A store before a store; tests override the call they want to disturb. */
class ForwardingStore implements IdempotencyStore {
  private final IdempotencyStore store;

  ForwardingStore(IdempotencyStore store) {
    this.store = store;
  }

  @Override
  public Claim claim(ClaimRequest request) {
    return store.claim(request);
  }

  @Override
  public boolean renew(Key key, Token token, Duration lease) {
    return store.renew(key, token, lease);
  }

  @Override
  public boolean complete(Key key, Token token, Ending ending, Duration retention) {
    return store.complete(key, token, ending, retention);
  }

  @Override
  public boolean release(Key key, Token token) {
    return store.release(key, token);
  }

  @Override
  public Optional<Existing> find(Key key) {
    return store.find(key);
  }
}
