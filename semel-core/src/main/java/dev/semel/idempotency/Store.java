package dev.semel.idempotency;

import dev.semel.event.EventStore;
import java.time.Instant;
import java.util.List;

/**
 * An opened engine with everything it offers; the parts share its connections and may be used by
 * many threads. Closing it closes what it opened.
 */
public interface Store extends AutoCloseable {
  /** For people, such as {@code redis://db1:6379}; never with a password. */
  String describe();

  IdempotencyStore idempotency();

  KeyCatalog catalog();

  StatisticsStore statistics();

  SettingsStore settings();

  EventStore events();

  /** The clock that the store decides by. */
  Instant now();

  /**
   * What about the engine's set-up can break the promise: a sentence each, with what to change. A
   * sentence stays the same from call to call until what it warns of happened, such as an eviction;
   * empty where nothing is known.
   */
  default List<String> hazards() {
    return List.of();
  }

  @Override
  void close();
}
