package dev.semel.tck.proof;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Claim;
import dev.semel.idempotency.ClaimRequest;
import dev.semel.idempotency.Ending;
import dev.semel.idempotency.Existing;
import dev.semel.idempotency.IdempotencyStore;
import dev.semel.idempotency.KeyCatalog;
import java.time.Duration;
import java.util.Optional;

/** Whoever asks for a release gets it, whatever the token. */
record Unfenced(IdempotencyStore records, KeyCatalog catalog) implements IdempotencyStore {
  @Override
  public Claim claim(ClaimRequest request) {
    return records.claim(request);
  }

  @Override
  public boolean renew(Key key, Token token, Duration lease) {
    return records.renew(key, token, lease);
  }

  @Override
  public boolean complete(Key key, Token token, Ending ending, Duration retention) {
    return records.complete(key, token, ending, retention);
  }

  @Override
  public boolean release(Key key, Token token) {
    return catalog.forceRelease(key);
  }

  @Override
  public Optional<Existing> find(Key key) {
    return records.find(key);
  }
}
