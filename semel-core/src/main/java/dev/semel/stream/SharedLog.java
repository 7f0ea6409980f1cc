package dev.semel.stream;

import java.time.InstantSource;
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
  }

  /** Who reads along. */
  interface Follower {
    /** Each message that is stored for good, once, in order; by one thread at a time. */
    void take(long sequence, byte[] message);
  }

  /**
   * @param expected the sequence of the last message of this path; 0: there is none
   */
  CompletionStage<Put> put(StreamPath path, long expected, byte[] message);

  /** The sequence of the last message of a path, 0 if there is none, by whoever orders them. */
  CompletionStage<Long> last(StreamPath path);

  /** The same over all paths. */
  CompletionStage<Long> last();

  /** Empty: it was purged. */
  CompletionStage<Optional<byte[]>> get(long sequence);

  /** Drops what stands on a path before this message; as well as it can, and without waiting. */
  void purge(StreamPath path, long before);

  /** The longest message. */
  int maxBytes();

  /** The log's own time, the same for all who use it as far as that can be. */
  InstantSource clock();

  /** Called once: from the first message on, until closed. */
  void follow(Follower follower);

  @Override
  void close();
}
