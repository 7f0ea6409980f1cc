package dev.semel.idempotency.spi;

import dev.semel.event.spi.EventStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

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

  /**
   * How much of the room that it may take the engine has taken; empty where it knows no limit.
   * Cheap enough to be asked every few seconds.
   */
  default Optional<Room> room() {
    return Optional.empty();
  }

  /**
   * What is taken, and what there is. Both are counted by what runs out first: bytes of memory or
   * of a disk, or records.
   *
   * @param limit with what is taken; more than zero
   */
  record Room(long used, long limit) {
    /** From 0 to 1, and beyond where a limit was lowered. */
    public double share() {
      return (double) used / limit;
    }
  }

  /**
   * What the engine says of its version and set-up, for people: a sentence each, well or not; empty
   * where nothing is known.
   */
  default List<String> setUp() {
    return List.of();
  }

  @Override
  void close();
}
