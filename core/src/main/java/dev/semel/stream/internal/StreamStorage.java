package dev.semel.stream.internal;

import dev.semel.stream.StreamRetention;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamHead;
import dev.semel.stream.spi.StreamResult;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Where an engine keeps its state and its data, changed together. Guarded by its engine: one caller
 * at a time, and whatever is written is committed before the next one comes.
 */
public interface StreamStorage extends MessageBoundaries {
  StreamTable table();

  /** Why nothing can be taken in right now; empty as a rule. */
  default Optional<StreamResult.Busy> busy() {
    return Optional.empty();
  }

  /**
   * Writes a change down and applies it.
   *
   * @throws dev.semel.journal.JournalException.Full no room for it: it was neither written nor
   *     applied, and what came before it can be committed
   */
  void write(StreamChange change);

  /** What was written so far is safe when this returns, and may be shown to readers. */
  void commit();

  /**
   * Finds the data; it is fetched by the result, for which nobody needs to be kept out.
   *
   * @param toSend whether it may be left in a file
   */
  Supplier<StreamResult.ToRead> read(StreamHead head, ReadFrom from, int maxBytes, boolean toSend);

  /** How much a start would have to read; 0: nothing is written down. */
  default long journalBytes() {
    return 0;
  }

  /** Behind the data that the retention no longer keeps; empty if it keeps all. */
  OptionalLong keptFrom(StreamState state, StreamRetention retention, long now);
}
