package dev.semel.transport;

import dev.semel.InvalidInput;
import java.util.Set;

/**
 * The limits of a {@link MemoryTransport}.
 *
 * @param destinations those that there are; empty: any
 * @param maxMessages how many are kept until every consumer has acknowledged them
 * @param maxMessageBytes of a message with everything in it
 * @param maxKnownIds how many of the last ids are remembered, to drop what is sent again
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
