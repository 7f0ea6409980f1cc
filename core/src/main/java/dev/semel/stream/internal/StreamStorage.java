package dev.semel.stream.internal;

import dev.semel.stream.StreamRetention;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamHead;
import dev.semel.stream.spi.StreamResult;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Where an engine keeps its state and its data, which change together. The engine guards it: one
 * caller at a time, and every write is committed before the next caller.
 */
public interface StreamStorage extends MessageBoundaries {
  StreamTable table();

  /** Why nothing can be accepted right now; usually empty. */
  default Optional<StreamResult.Busy> busy() {
    return Optional.empty();
  }

  /**
   * Stores a change and applies it.
   *
   * @throws dev.semel.journal.JournalException.Full there is no room: the change was neither stored
   *     nor applied, and earlier ones can be committed
   */
  void write(StreamChange change);

  /** Makes all written changes safe; readers may see them once this returns. */
  void commit();

  /**
   * Finds the data; the result fetches it, outside of the engine's guard.
   *
   * @param toSend whether the data may be left in a file
   */
  Supplier<StreamResult.ToRead> read(StreamHead head, ReadFrom from, int maxBytes, boolean toSend);

  /** How many bytes a start would have to read; 0: nothing is stored. */
  default long journalBytes() {
    return 0;
  }

  /** Where the data begins that the retention still keeps; empty if it keeps all. */
  OptionalLong keptFrom(StreamState state, StreamRetention retention, long now);
}
