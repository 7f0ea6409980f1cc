package dev.semel.stream.internal;

import dev.semel.stream.Offset;
import java.util.OptionalLong;

/** Where messages and appends end, as an engine's data shows. */
@FunctionalInterface
public interface MessageBoundaries {
  /**
   * The position that many messages (of JSON) or bytes after the anchor, but not after the end of
   * the append that follows it. Empty if there is none, or if the anchor is inside a JSON message.
   */
  OptionalLong beyond(StreamState stream, Offset anchor, long units);
}
