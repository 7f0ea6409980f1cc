package dev.semel.idempotency.spi;

import dev.semel.event.spi.EventStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An opened engine with all its parts. The parts share its connections, and many threads may use
 * them. Closing it closes what it opened.
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
   * Settings of the engine that can break the promise: a sentence each, with what to change. A
   * sentence stays the same from call to call until the thing that it warns of happened, such as an
   * eviction; empty where nothing is known.
   */
  default List<String> hazards() {
    return List.of();
  }

  /**
   * How much of the engine's capacity is used; empty where it knows no limit. Cheap enough to call
   * every few seconds.
   */
  default Optional<Room> room() {
    return Optional.empty();
  }

  /**
   * The used and the total capacity of what runs out first: bytes of memory or of a disk, or
   * records.
   *
   * @param limit the total, used part included; more than zero
   */
  record Room(long used, long limit) {
    /** From 0 to 1, and more where a limit was lowered. */
    public double share() {
      return (double) used / limit;
    }
  }

  /**
   * The engine's version and set-up, for people: a sentence each, good or bad; empty where nothing
   * is known.
   */
  default List<String> setUp() {
    return List.of();
  }

  @Override
  void close();
}
