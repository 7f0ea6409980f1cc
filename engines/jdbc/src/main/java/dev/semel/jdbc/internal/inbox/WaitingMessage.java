package dev.semel.jdbc.internal.inbox;

import dev.semel.transport.LogPosition;
import dev.semel.transport.Message;
import java.util.HashSet;
import java.util.Set;

/**
 * What waits for a message of before that is not over: its ordering key, and its lane's position.
 */
final class WaitingMessage {
  private final Set<String> keys = new HashSet<>();
  private final Set<String> lanes = new HashSet<>();

  WaitingMessage() {}

  WaitingMessage(WaitingMessage before) {
    keys.addAll(before.keys);
    lanes.addAll(before.lanes);
  }

  void add(Message message) {
    if (message.ordered()) {
      keys.add(message.orderingKey());
    }
  }

  void add(LogPosition place) {
    lanes.add(place.lane());
  }

  boolean has(Message message) {
    return keys.contains(message.orderingKey());
  }

  boolean has(LogPosition place) {
    return lanes.contains(place.lane());
  }
}
