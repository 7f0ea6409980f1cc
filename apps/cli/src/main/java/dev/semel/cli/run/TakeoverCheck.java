package dev.semel.cli.run;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.event.EventStore;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.SettingsStore;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.idempotency.spi.StoredRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A store on which a key is taken over only when the command that was started for it does not run
 * on this host any more: until then the key counts as in flight. Does not close the store.
 */
record TakeoverCheck(Store store) implements Store {
  @Override
  public IdempotencyStore idempotency() {
    return new Records(store.idempotency());
  }

  @Override
  public String describe() {
    return store.describe();
  }

  @Override
  public KeyCatalog catalog() {
    return store.catalog();
  }

  @Override
  public StatisticsStore statistics() {
    return store.statistics();
  }

  @Override
  public SettingsStore settings() {
    return store.settings();
  }

  @Override
  public EventStore events() {
    return store.events();
  }

  @Override
  public Instant now() {
    return store.now();
  }

  @Override
  public void close() {}

  private record Records(IdempotencyStore records) implements IdempotencyStore {
    @Override
    public ClaimResult claim(ClaimRequest request) {
      if (request.takeover() != TakeoverPolicy.RUN_AGAIN) {
        return records.claim(request);
      }
      ClaimResult first = records.claim(with(request, TakeoverPolicy.IN_DOUBT));
      if (!(first instanceof ClaimResult.InDoubt doubt)) {
        return first;
      }
      return RunningProcess.living(doubt.original().requestId()).isPresent()
          ? new ClaimResult.InFlight(Duration.ZERO, doubt.original())
          : records.claim(request);
    }

    private static ClaimRequest with(ClaimRequest request, TakeoverPolicy takeover) {
      return new ClaimRequest(
          request.key(),
          request.token(),
          request.fingerprint(),
          request.lease(),
          request.retention(),
          takeover,
          request.requestId());
    }

    @Override
    public boolean renew(Key key, Token token, Duration lease) {
      return records.renew(key, token, lease);
    }

    @Override
    public boolean complete(Key key, Token token, ExecutionEnd ending, Duration retention) {
      return records.complete(key, token, ending, retention);
    }

    @Override
    public boolean release(Key key, Token token) {
      return records.release(key, token);
    }

    @Override
    public Optional<StoredRecord> find(Key key) {
      return records.find(key);
    }
  }
}
