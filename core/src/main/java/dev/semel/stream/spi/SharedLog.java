package dev.semel.stream.spi;

import dev.semel.stream.StreamPath;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A log that several engines write to and read from: one order of messages for all of them, each
 * message with a sequence that grows, and on each path a message is only taken if the writer knows
 * the last one. Safe for many threads; what is stored stays, and is never seen in another order.
 *
 * <p>A stage that ends with a {@link dev.semel.StoreException} says that nobody knows whether it
 * took effect, or that nobody could be asked.
 */
public interface SharedLog extends AutoCloseable {
  /** What became of a message. */
  sealed interface Put {
    /** It is there, for good. */
    record Stored(long sequence) implements Put {}

    /** It is not there: the last message of the path is, or may become, another one. */
    record Refused() implements Put {}

    /** It is not there: the log has reached a limit of its own. */
    record Full() implements Put {}
  }

  /** Who reads along. */
  interface Follower {
    /** Each message that is stored for good, once, in order; by one thread at a time. */
    void take(long sequence, byte[] message);
  }

  /**
   * Adds a message, if nothing else was added to its path since.
   *
   * @param expected the sequence of the last message of this path; 0: there is none
   */
  CompletionStage<Put> put(StreamPath path, long expected, byte[] message);

  /** The sequence of the last message of a path, 0 if there is none, by whoever orders them. */
  CompletionStage<Long> last(StreamPath path);

  /** The same over all paths. */
  CompletionStage<Long> last();

  /** Empty: it was dropped. */
  CompletionStage<Optional<byte[]>> get(long sequence);

  /** Drops messages that hold only data nobody can read; as well as it can, without waiting. */
  void drop(List<Long> sequences);

  /** The longest message. */
  int maxBytes();

  /** The log's own time, the same for all who use it as far as that can be. */
  InstantSource clock();

  /**
   * Called once: until closed.
   *
   * @param after the sequence of the last message that is not wanted; 0: all are
   */
  void follow(long after, Follower follower);

  /** What the log amounts to up to a message, left by someone who has read it. */
  final class Checkpoint {
    private final long sequence;
    private final byte[] state;

    /**
     * Takes the bytes as they are: don't change them.
     *
     * @param sequence of the last message in it
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

  /** The newest; empty: there is none, or none that is whole. Waits. */
  Optional<Checkpoint> checkpoint();

  /** Leaves one, unless someone else does so at the same time. Waits. */
  void leave(Checkpoint checkpoint);

  @Override
  void close();
}
