package dev.semel.stream.spi;

import dev.semel.stream.ContentType;
import dev.semel.stream.Offset;
import java.util.Optional;
import java.util.OptionalLong;

/** All that a caller can be told. Each record stands for one reply of the protocol. */
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

  /** The request makes no sense as it is; the message says why. */
  record Malformed(String message) implements ToCreate, ToAppend, ToRead {}

  /** A limit is reached; {@code limit} names it. */
  record Full(String limit, long max) implements ToCreate, ToAppend {}

  /** The engine is behind with its work; nothing was written. Worth another try soon. */
  record Busy(String limit, long max) implements ToCreate, ToAppend {}

  /** The disk is nearly full, or the log that servers share; nothing was written. */
  record NoRoom() implements ToCreate, ToAppend {}

  record TooLarge(long max) implements ToCreate, ToAppend {}

  record Created(StreamHead head) implements ToCreate {}

  /** It was there before, with the same configuration. */
  record Existed(StreamHead head) implements ToCreate {}

  record Conflict(Reason reason) implements ToCreate {
    /** What the request collides with. */
    public enum Reason {
      /** The stream is there with another configuration. */
      OTHER_CONFIGURATION,
      /** The path is held by a stream whose forks still live. */
      PATH_HELD_FOR_FORKS,
      /** The stream to fork from was deleted or has expired. */
      SOURCE_GONE,
      /** The stream to fork from has another content type. */
      OTHER_TYPE_THAN_SOURCE
    }
  }

  record SourceMissing() implements ToCreate {}

  /**
   * The data is there.
   *
   * @param producer the batch as it was counted; empty for an anonymous sender
   */
  record Appended(Offset start, Offset next, boolean closed, Optional<ProducerTuple> producer)
      implements ToAppend {}

  /** Closed without new data, now or before. */
  record Closed(Offset next, Optional<ProducerTuple> producer) implements ToAppend {}

  /**
   * This batch was taken before; nothing was written.
   *
   * @param highest the producer's last batch that was taken
   * @param first what was answered then; empty for all but the last five batches
   */
  record Duplicate(ProducerTuple highest, Optional<Batch> first, Offset tail, boolean closed)
      implements ToAppend {}

  /** Refused because the stream is closed. */
  record StreamClosed(Offset next) implements ToAppend {}

  record OtherType(ContentType expected) implements ToAppend {}

  /** A later life of the producer has written: this one is fenced. */
  record StaleEpoch(long current) implements ToAppend {}

  record Gap(long expected, long received) implements ToAppend {}

  /** The tail is not where the caller thought. */
  record TailMoved(Offset tail) implements ToAppend {}

  record SeqRegression(StreamSeq last) implements ToAppend {}

  record Deleted() implements ToDelete {}

  record Data(DataSlice slice) implements ToRead {}

  /**
   * Data that was left where it is; only given to those who asked for it so.
   *
   * @param slice without the data
   * @param part to be closed
   */
  record InFile(DataSlice slice, FilePart part) implements ToRead {}

  /** The data there is no longer kept. */
  record BelowHorizon(Offset start) implements ToRead {}

  record Found(StreamHead head) implements ToHead {}

  /** Where a batch stands. */
  record Batch(Offset start, Offset next) {}

  /**
   * A producer as an operator sees it.
   *
   * @param lastSeq empty: fenced, and nothing written since
   */
  record Producer(String id, boolean managed, long epoch, OptionalLong lastSeq, long lastUsed) {}
}
