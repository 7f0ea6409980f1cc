package dev.semel.stream.internal;

import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.AppendBody;
import dev.semel.stream.spi.StreamConfig;
import dev.semel.stream.spi.StreamSeq;
import java.util.Optional;

/**
 * One stored transition of one stream. Facts that must hold together are in one change: after a
 * crash it is there or not, never half of it. {@link ChangeCodec} encodes it.
 */
public sealed interface StreamChange {
  /** The incarnation of the changed stream. */
  long stream();

  /** When it was decided, in epoch milliseconds on the engine's clock. */
  long at();

  /**
   * A stream was created, with its first data.
   *
   * @param base where its own data begins: after what a fork inherits, else zero
   * @param source the incarnation that it was forked from; 0 if none
   */
  record Created(
      long stream,
      long at,
      StreamPath path,
      StreamConfig config,
      Offset base,
      long source,
      AppendBody body,
      boolean closed)
      implements StreamChange {}

  record Appended(
      long stream,
      long at,
      AppendBody body,
      Optional<BatchStamp> stamp,
      Optional<StreamSeq> seq,
      boolean closes)
      implements StreamChange {}

  /** The stream was closed without data. */
  record Closed(long stream, long at, Optional<BatchStamp> stamp, Optional<StreamSeq> seq)
      implements StreamChange {}

  /** The stream was deleted: at once, or only for its callers while forks need its data. */
  record Deleted(long stream, long at) implements StreamChange {}

  /** The stream expired; otherwise like a deletion. */
  record Expired(long stream, long at) implements StreamChange {}

  /** The stream was read or written, so its idle window begins again. */
  record Touched(long stream, long at) implements StreamChange {}

  /** Data before the new start is no longer kept. */
  record Trimmed(long stream, long at, Offset start) implements StreamChange {}

  /** The producer was forgotten after being idle for long. */
  record ProducerExpired(long stream, long at, String id, boolean managed)
      implements StreamChange {}

  /** Only this epoch and later ones may write. */
  record ProducerFenced(long stream, long at, String id, boolean managed, long epoch)
      implements StreamChange {}
}
