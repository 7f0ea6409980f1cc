package dev.semel.stream.spi;

import dev.semel.stream.ContentType;
import dev.semel.stream.Offset;
import java.util.Optional;
import java.util.OptionalLong;

/** All answers to a caller. Each record corresponds to one reply of the protocol. */
public sealed interface StreamResult {
  sealed interface ToCreate extends StreamResult {}

  sealed interface ToAppend extends StreamResult {}

  sealed interface ToDelete extends StreamResult {}

  sealed interface ToRead extends StreamResult {}

  sealed interface ToHead extends StreamResult {}

  /** There is no such stream, or it has expired. */
  record Missing() implements ToAppend, ToDelete, ToRead, ToHead {}

  /** The stream was deleted or has expired; its data is only kept for its forks. */
  record Gone() implements ToAppend, ToDelete, ToRead, ToHead {}

  /** The request is not valid; the message says why. */
  record Malformed(String message) implements ToCreate, ToAppend, ToRead {}

  /** A limit is reached; {@code limit} names it. */
  record Full(String limit, long max) implements ToCreate, ToAppend {}

  /** The engine is behind with its work; nothing was written. Try again soon. */
  record Busy(String limit, long max) implements ToCreate, ToAppend {}

  /** The disk is nearly full, or the shared log is; nothing was written. */
  record NoRoom() implements ToCreate, ToAppend {}

  record TooLarge(long max) implements ToCreate, ToAppend {}

  record Created(StreamHead head) implements ToCreate {}

  /** The stream existed before, with the same configuration. */
  record Existed(StreamHead head) implements ToCreate {}

  record Conflict(Reason reason) implements ToCreate {
    /** What the request conflicts with. */
    public enum Reason {
      /** The stream exists with another configuration. */
      OTHER_CONFIGURATION,
      /** A deleted stream with living forks holds the path. */
      PATH_HELD_FOR_FORKS,
      /** The source of the fork was deleted or has expired. */
      SOURCE_GONE,
      /** The source of the fork has another content type. */
      OTHER_TYPE_THAN_SOURCE
    }
  }

  record SourceMissing() implements ToCreate {}

  /**
   * The data was appended.
   *
   * @param producer the batch with its epoch and sequence; empty for an anonymous sender
   */
  record Appended(Offset start, Offset next, boolean closed, Optional<ProducerTuple> producer)
      implements ToAppend {}

  /** Closed without new data, now or before. */
  record Closed(Offset next, Optional<ProducerTuple> producer) implements ToAppend {}

  /**
   * This batch was appended before; nothing was written.
   *
   * @param highest the producer's last batch in the stream
   * @param first where the batch stands; empty for all but the last five batches
   */
  record Duplicate(ProducerTuple highest, Optional<Batch> first, Offset tail, boolean closed)
      implements ToAppend {}

  /** Refused because the stream is closed. */
  record StreamClosed(Offset next) implements ToAppend {}

  record OtherType(ContentType expected) implements ToAppend {}

  /** A newer epoch of the producer has written: this one is fenced. */
  record StaleEpoch(long current) implements ToAppend {}

  record Gap(long expected, long received) implements ToAppend {}

  /** The tail is not where the caller expected it. */
  record TailMoved(Offset tail) implements ToAppend {}

  record SeqRegression(StreamSeq last) implements ToAppend {}

  record Deleted() implements ToDelete {}

  record Data(DataSlice slice) implements ToRead {}

  /**
   * Data that was left in its file; only for callers that asked for it.
   *
   * @param slice without the data
   * @param part must be closed
   */
  record InFile(DataSlice slice, FilePart part) implements ToRead {}

  /** The data at this offset is no longer kept. */
  record BelowHorizon(Offset start) implements ToRead {}

  record Found(StreamHead head) implements ToHead {}

  /** Where a batch stands in the stream. */
  record Batch(Offset start, Offset next) {}

  /**
   * A producer as an operator sees it.
   *
   * @param lastSeq empty: fenced, and nothing written since
   */
  record Producer(String id, boolean managed, long epoch, OptionalLong lastSeq, long lastUsed) {}
}
