package dev.semel.stream.internal;

import dev.semel.stream.Offset;
import java.util.OptionalLong;

/** What an engine's data can say about where messages and appends end. */
@FunctionalInterface
public interface MessageBoundaries {
  /**
   * The position that lies so many messages (of JSON) or bytes beyond the anchor, but not behind
   * the end of the append that follows it. Empty if there is none, or if the anchor itself stands
   * within a message of JSON.
   */
  OptionalLong beyond(StreamState stream, Offset anchor, long units);
}
