package dev.semel.transport;

import dev.semel.InvalidInput;
import java.util.Set;

/**
 * The limits of a {@link MemoryTransport}.
 *
 * @param destinations the allowed destinations; empty: any
 * @param maxMessages how many messages are kept until every consumer has acknowledged them
 * @param maxMessageBytes the size of a message with its headers
 * @param maxKnownIds how many of the last ids are remembered, to drop duplicates
 */
public record MemoryTransportSettings(
    Set<String> destinations, int maxMessages, int maxMessageBytes, int maxKnownIds) {
  public MemoryTransportSettings {
    destinations = Set.copyOf(destinations);
    if (maxMessages < 1 || maxMessageBytes < 1 || maxKnownIds < 1) {
      throw new InvalidInput("the limits of a transport in memory must be at least 1 each");
    }
  }

  public static MemoryTransportSettings defaults() {
    return new MemoryTransportSettings(Set.of(), 100_000, 1 << 20, 100_000);
  }

  public MemoryTransportSettings withDestinations(Set<String> value) {
    return new MemoryTransportSettings(value, maxMessages, maxMessageBytes, maxKnownIds);
  }

  public MemoryTransportSettings withMaxMessages(int value) {
    return new MemoryTransportSettings(destinations, value, maxMessageBytes, maxKnownIds);
  }

  public MemoryTransportSettings withMaxMessageBytes(int value) {
    return new MemoryTransportSettings(destinations, maxMessages, value, maxKnownIds);
  }

  public MemoryTransportSettings withMaxKnownIds(int value) {
    return new MemoryTransportSettings(destinations, maxMessages, maxMessageBytes, value);
  }
}
