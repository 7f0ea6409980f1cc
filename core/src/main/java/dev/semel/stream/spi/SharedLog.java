package dev.semel.stream.spi;

import dev.semel.stream.StreamPath;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A log that several engines write to and read from: one order of messages for all of them, and
 * each message has a growing sequence. The log accepts a message on a path only if the writer knows
 * the path's last message. Safe for use by many threads; stored messages stay, and all readers see
 * them in the same order.
 *
 * <p>A stage that fails with a {@link dev.semel.StoreException} means that it is unknown whether
 * the call took effect, or that the log did not answer.
 */
public interface SharedLog extends AutoCloseable {
  /** The result of adding a message. */
  sealed interface Put {
    /** The message is stored, for good. */
    record Stored(long sequence) implements Put {}

    /** The message is not stored: the last message of the path is, or may become, another one. */
    record Refused() implements Put {}

    /** The message is not stored: the log has reached a limit of its own. */
    record Full() implements Put {}
  }

  /** A reader of the log. */
  interface Follower {
    /** Gets each message that is stored for good, once, in order; on one thread at a time. */
    void take(long sequence, byte[] message);
  }

  /**
   * Adds a message if its path has no newer one.
   *
   * @param expected the sequence of the last message of this path; 0: there is none
   */
  CompletionStage<Put> put(StreamPath path, long expected, byte[] message);

  /**
   * The sequence of the last message of a path, 0 if there is none; asks the node that orders them.
   */
  CompletionStage<Long> last(StreamPath path);

  /** The sequence of the last message over all paths. */
  CompletionStage<Long> last();

  /** The message with this sequence. Empty: it was dropped. */
  CompletionStage<Optional<byte[]>> get(long sequence);

  /** Drops messages whose data nobody can read any more; best effort, without waiting. */
  void drop(List<Long> sequences);

  /** The size of the longest message. */
  int maxBytes();

  /** The log's clock, the same for all its users as far as possible. */
  InstantSource clock();

  /**
   * Starts reading; runs until this is closed. Call it once.
   *
   * @param after the sequence of the last message to skip; 0: skip none
   */
  void follow(long after, Follower follower);

  /** The state that the log results in up to a message, left by an engine that has read it. */
  final class Checkpoint {
    private final long sequence;
    private final byte[] state;

    /**
     * Keeps the given bytes: don't change them.
     *
     * @param sequence the sequence of the last message in it
     */
    public Checkpoint(long sequence, byte[] state) {
      this.sequence = sequence;
      this.state = state;
    }

    public long sequence() {
      return sequence;
    }

    public byte[] state() {
      return state;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Checkpoint c
          && sequence == c.sequence
          && Arrays.equals(state, c.state);
    }

    @Override
    public int hashCode() {
      return Long.hashCode(sequence);
    }

    @Override
    public String toString() {
      return "up to " + sequence;
    }
  }

  /** The newest checkpoint; empty: there is none, or none that is complete. Blocks. */
  Optional<Checkpoint> checkpoint();

  /** Leaves a checkpoint, unless another engine does so at the same time. Blocks. */
  void leave(Checkpoint checkpoint);

  @Override
  void close();
}
