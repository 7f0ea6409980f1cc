package dev.semel.benchmarks;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.event.EventLine;
import dev.semel.event.SemelListener;
import dev.semel.event.spi.EventStore;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.SettingsStore;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A store with records but without events, counts and settings, in order to measure their cost. */
record Unobserved(Store store) implements Store {
  /** Races executions with as many duplicates: everything stored against records alone. */
  static void race(Race race, String title, Store store) throws Exception {
    try (Idempotency with = new Idempotency(store, SemelListener.NONE);
        Idempotency without = new Idempotency(new Unobserved(store), SemelListener.NONE)) {
      race.inShortRounds()
          .run(
              title,
              number -> twice(with, number),
              "the same without them",
              number -> twice(without, number),
              0.95);
    }
  }

  private static void twice(Idempotency idempotency, long number) {
    ExecutionRequest<String> request =
        ExecutionRequest.of(Key.of("payment", "twice-" + number), Codec.utf8());
    idempotency.execute(request, execution -> "receipt");
    idempotency.execute(request, execution -> "receipt");
  }

  @Override
  public String describe() {
    return store.describe();
  }

  @Override
  public IdempotencyStore idempotency() {
    return store.idempotency();
  }

  @Override
  public KeyCatalog catalog() {
    return store.catalog();
  }

  @Override
  public StatisticsStore statistics() {
    return new StatisticsStore() {
      @Override
      public void add(Batch batch) {}

      @Override
      public Map<Scope, DecisionCounts> read() {
        return Map.of();
      }

      @Override
      public List<Slice> trend(Duration step, Duration back) {
        return List.of();
      }

      @Override
      public void reset() {}
    };
  }

  @Override
  public SettingsStore settings() {
    return new SettingsStore() {
      @Override
      public Map<Operation, Stored> readAll() {
        return Map.of();
      }

      @Override
      public boolean write(Operation operation, long seen, String text) {
        return false;
      }
    };
  }

  @Override
  public EventStore events() {
    return new EventStore() {
      @Override
      public void append(List<EventLine> lines) {}

      @Override
      public Page read(String cursor, int limit) {
        return new Page(List.of(), cursor);
      }

      @Override
      public String end() {
        return "0";
      }

      @Override
      public List<EventLine> latest(int limit) {
        return List.of();
      }

      @Override
      public List<EventLine> about(Key key, int limit) {
        return List.of();
      }

      @Override
      public Map<String, Chain> chains() {
        return Map.of();
      }

      @Override
      public int erase(Key key) {
        return 0;
      }

      @Override
      public int trim(Duration age, long keep, int limit) {
        return 0;
      }
    };
  }

  @Override
  public Instant now() {
    return store.now();
  }

  @Override
  public void close() {}
}
