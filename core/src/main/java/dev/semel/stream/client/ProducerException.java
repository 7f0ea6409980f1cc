package dev.semel.stream.client;

import dev.semel.StoreException;
import dev.semel.internal.PrintableText;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when messages could not be appended and the producer can't recover. {@link #batch} holds
 * them and says whether they may still be in the stream.
 */
public abstract sealed class ProducerException extends StoreException {
  private static final long serialVersionUID = 1L;
  private final transient @Nullable FailedBatch batch;

  private ProducerException(
      String message, @Nullable FailedBatch batch, @Nullable Throwable cause) {
    super(message + fate(batch));
    this.batch = batch;
    if (cause != null) {
      initCause(cause);
    }
  }

  private static String fate(@Nullable FailedBatch batch) {
    if (batch == null) {
      return "";
    }
    return batch.inDoubt()
        ? ". Whether the %d messages of this batch are in the stream is not known"
            .formatted(batch.messages().size())
        : ". The %d messages of this batch are not in the stream"
            .formatted(batch.messages().size());
  }

  /** The lost messages; empty where there were none, because the producer had stopped before. */
  public final Optional<FailedBatch> batch() {
    return Optional.ofNullable(batch);
  }

  /** An exception with the same reason for another batch. */
  abstract ProducerException about(FailedBatch other);

  /** A newer producer with this id has taken over. */
  public static final class Fenced extends ProducerException {
    private static final long serialVersionUID = 1L;
    private final long current;

    Fenced(long current, @Nullable FailedBatch batch) {
      super(
          "the producer is fenced: another one with its id has epoch %d".formatted(current),
          batch,
          null);
      this.current = current;
    }

    /** The epoch that the server knows. */
    public long currentEpoch() {
      return current;
    }

    @Override
    ProducerException about(FailedBatch other) {
      return new Fenced(current, other);
    }
  }

  /** Another producer appends with this id and epoch: the server took its batches for ours. */
  public static final class EpochTaken extends ProducerException {
    private static final long serialVersionUID = 1L;

    EpochTaken(@Nullable FailedBatch batch) {
      super(
          "another producer has used this id and epoch: claim a new epoch, or use an id of its own",
          batch,
          null);
    }

    @Override
    ProducerException about(FailedBatch other) {
      return new EpochTaken(other);
    }
  }

  /** The server has forgotten batches that it had acknowledged, or the producer itself. */
  public static final class SequenceGap extends ProducerException {
    private static final long serialVersionUID = 1L;
    private final long expected;

    SequenceGap(long expected, @Nullable FailedBatch batch) {
      super(
          "the server asks for sequence %d, which it had acknowledged: it has forgotten this producer, or lost data"
              .formatted(expected),
          batch,
          null);
      this.expected = expected;
    }

    public long expected() {
      return expected;
    }

    @Override
    ProducerException about(FailedBatch other) {
      return new SequenceGap(expected, other);
    }
  }

  /** Someone closed the stream. */
  public static final class StreamClosed extends ProducerException {
    private static final long serialVersionUID = 1L;

    StreamClosed(@Nullable FailedBatch batch) {
      super("the stream is closed: nothing can be appended any more", batch, null);
    }

    @Override
    ProducerException about(FailedBatch other) {
      return new StreamClosed(other);
    }
  }

  /** The server refuses the messages, now and later. */
  public static final class Refused extends ProducerException {
    private static final long serialVersionUID = 1L;
    private final int status;
    private final String detail;

    Refused(int status, String detail, @Nullable FailedBatch batch) {
      super(
          "the server refuses this (status %d): %s".formatted(status, PrintableText.safe(detail)),
          batch,
          null);
      this.status = status;
      this.detail = detail;
    }

    public int status() {
      return status;
    }

    @Override
    ProducerException about(FailedBatch other) {
      return new Refused(status, detail, other);
    }
  }

  /** It took longer than the settings allow; the cause is the last failure. */
  public static final class GaveUp extends ProducerException {
    private static final long serialVersionUID = 1L;

    private final Throwable last;

    GaveUp(@Nullable FailedBatch batch, Throwable last) {
      super("the server could not be reached in time, so the producer gave up", batch, last);
      this.last = last;
    }

    @Override
    ProducerException about(FailedBatch other) {
      return new GaveUp(other, last);
    }
  }

  /** For longer than the settings allow, messages came faster than they could be sent. */
  public static final class BufferFull extends ProducerException {
    private static final long serialVersionUID = 1L;

    BufferFull(long bytes) {
      super(
          "%d bytes wait to be acknowledged, the limit: append less, or wait longer"
              .formatted(bytes),
          null,
          null);
    }

    @Override
    ProducerException about(FailedBatch other) {
      return this;
    }
  }

  /** The producer was closed before. */
  public static final class Closed extends ProducerException {
    private static final long serialVersionUID = 1L;

    Closed(@Nullable FailedBatch batch) {
      super("the producer is closed: open another one", batch, null);
    }

    @Override
    ProducerException about(FailedBatch other) {
      return new Closed(other);
    }
  }
}
