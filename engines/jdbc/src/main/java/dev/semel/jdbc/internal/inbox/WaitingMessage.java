package dev.semel.jdbc.internal.inbox;

import dev.semel.transport.Message;
import dev.semel.transport.spi.LogPosition;
import java.util.HashSet;
import java.util.Set;

/**
 * Tracks unfinished messages of this batch: later ones with the same ordering key must wait, and so
 * must their partition's position.
 */
final class WaitingMessage {
  private final Set<String> keys = new HashSet<>();
  private final Set<String> partitions = new HashSet<>();

  WaitingMessage() {}

  WaitingMessage(WaitingMessage before) {
    keys.addAll(before.keys);
    partitions.addAll(before.partitions);
  }

  void add(Message message) {
    if (message.ordered()) {
      keys.add(message.orderingKey());
    }
  }

  void add(LogPosition place) {
    partitions.add(place.partition());
  }

  boolean has(Message message) {
    return keys.contains(message.orderingKey());
  }

  boolean has(LogPosition place) {
    return partitions.contains(place.partition());
  }
}
