package dev.semel.stream.internal;

import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.AppendBody;
import dev.semel.stream.spi.StreamConfig;
import dev.semel.stream.spi.StreamSeq;
import java.util.Optional;

/**
 * One transition of one stream, as it is written down. Whatever must be true together stands in one
 * change: a crash leaves it there or not, never half of it. {@link ChangeCodec} gives it bytes.
 */
public sealed interface StreamChange {
  /** The incarnation that it changes. */
  long stream();

  /** When it was decided, in epoch milliseconds on the engine's clock. */
  long at();

  /**
   * A stream is there, with its first data.
   *
   * @param base where the own data begins: behind what a fork inherits, else zero
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

  /** Closed without data. */
  record Closed(long stream, long at, Optional<BatchStamp> stamp, Optional<StreamSeq> seq)
      implements StreamChange {}

  /** Gone at once, or only for its callers while forks need its data. */
  record Deleted(long stream, long at) implements StreamChange {}

  /** The same, by itself. */
  record Expired(long stream, long at) implements StreamChange {}

  /** Read or written, so its idle window begins again. */
  record Touched(long stream, long at) implements StreamChange {}

  /** Data in front of the new start is no longer kept. */
  record Trimmed(long stream, long at, Offset start) implements StreamChange {}

  /** The producer was idle for so long that it is forgotten. */
  record ProducerExpired(long stream, long at, String id, boolean managed)
      implements StreamChange {}

  /** Only this epoch and later ones may write. */
  record ProducerFenced(long stream, long at, String id, boolean managed, long epoch)
      implements StreamChange {}
}
