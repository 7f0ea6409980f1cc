package dev.semel.idempotency.internal;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.event.EventStore;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.TimingListener;
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
import java.util.List;
import java.util.Optional;

/** Measures from outside, so that every engine is measured alike. */
public final class TimedStore implements Store {
  private final Store inner;
  private final IdempotencyStore records;

  public TimedStore(Store inner, TimingListener timings) {
    this.inner = inner;
    this.records = new Timed(inner.idempotency(), timings);
  }

  private record Timed(IdempotencyStore inner, TimingListener timings) implements IdempotencyStore {
    /** Failed ones too: they are the slow ones. */
    @Override
    public ClaimResult claim(ClaimRequest request) {
      long started = System.nanoTime();
      try {
        return inner.claim(request);
      } finally {
        timings.checked(request.key().operation(), Duration.ofNanos(System.nanoTime() - started));
      }
    }

    @Override
    public boolean renew(Key key, Token token, Duration lease) {
      return inner.renew(key, token, lease);
    }

    @Override
    public boolean complete(Key key, Token token, ExecutionEnd ending, Duration retention) {
      boolean completed = inner.complete(key, token, ending, retention);
      if (completed) {
        timings.kept(key.operation(), retention);
      }
      return completed;
    }

    @Override
    public boolean release(Key key, Token token) {
      return inner.release(key, token);
    }

    @Override
    public Optional<StoredRecord> find(Key key) {
      return inner.find(key);
    }
  }

  @Override
  public IdempotencyStore idempotency() {
    return records;
  }

  @Override
  public String describe() {
    return inner.describe();
  }

  @Override
  public KeyCatalog catalog() {
    return inner.catalog();
  }

  @Override
  public StatisticsStore statistics() {
    return inner.statistics();
  }

  @Override
  public SettingsStore settings() {
    return inner.settings();
  }

  @Override
  public EventStore events() {
    return inner.events();
  }

  @Override
  public Instant now() {
    return inner.now();
  }

  @Override
  public Optional<Room> room() {
    return inner.room();
  }

  @Override
  public List<String> hazards() {
    return inner.hazards();
  }

  @Override
  public List<String> setUp() {
    return inner.setUp();
  }

  @Override
  public void close() {
    inner.close();
  }
}
