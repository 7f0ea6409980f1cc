package dev.semel.stream.spi;

import dev.semel.StoreException;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamLimits;
import dev.semel.stream.StreamPath;
import dev.semel.stream.internal.FutureSubmission;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * What an engine offers. Safe for many threads. An answer is only given when what it says will
 * survive whatever the engine promises to survive; an engine that can no longer promise it
 * completes exceptionally with a {@link dev.semel.StoreException}.
 *
 * <p>Answers and wake-ups may come on any thread, also on the caller's before the call returns;
 * they must be short and must not block.
 */
public interface Streams extends AutoCloseable {
  /** One append and who waits for its answer; exactly one of the two calls comes, once. */
  interface Submission {
    StreamPath path();

    AppendRequest request();

    void answered(StreamResult.ToAppend answer);

    /** Nobody knows whether it is there: the engine can no longer promise anything. */
    void failed(StoreException cause);
  }

  /** Someone who waits; see {@link #await}. */
  interface Waiting {
    /** After this the wake-up no longer comes, unless it is already on its way. */
    void cancel();
  }

  CompletionStage<StreamResult.ToCreate> create(CreateRequest request);

  /**
   * Appends one after the other in the order of the list. Handing over many at once is cheaper than
   * one by one; they share nothing else.
   */
  void append(List<Submission> batch);

  /** Appends, closes, or both. */
  default CompletionStage<StreamResult.ToAppend> append(StreamPath path, AppendRequest request) {
    CompletableFuture<StreamResult.ToAppend> answer = new CompletableFuture<>();
    append(List.of(new FutureSubmission(path, request, answer)));
    return answer;
  }

  CompletionStage<StreamResult.ToDelete> delete(StreamPath path);

  /**
   * Reads on from a place and keeps the stream from being idle.
   *
   * @param maxBytes where to cut; JSON is cut between messages, and one message always fits
   */
  CompletionStage<StreamResult.ToRead> read(StreamPath path, ReadFrom from, int maxBytes);

  /**
   * The same for those who pass data on without looking at it: a long run may be left in its file,
   * as {@link StreamResult.InFile}.
   */
  default CompletionStage<StreamResult.ToRead> readToSend(
      StreamPath path, ReadFrom from, int maxBytes) {
    return read(path, from, maxBytes);
  }

  CompletionStage<StreamResult.ToHead> head(StreamPath path);

  /**
   * Wakes once when a read from there could have something new to say: data beyond it, the end of
   * the stream, or that it is gone. At once if that is so already. No thread waits meanwhile.
   *
   * @return empty: {@link StreamLimits#waiters} are waiting
   */
  Optional<Waiting> await(StreamPath path, Offset beyond, Runnable wake);

  /** Keeps a stream from being idle while readers wait for it. */
  CompletionStage<Boolean> touch(StreamPath path);

  /** In the order of their ids; empty also when there is no such stream. */
  CompletionStage<List<StreamResult.Producer>> producers(StreamPath path);

  /**
   * Shuts out all epochs of a producer below this one.
   *
   * @param managed whether it is one of the older dialect, which are kept apart
   * @return false: there is no such stream or producer, or it has reached that epoch already
   */
  CompletionStage<Boolean> fence(StreamPath path, String id, boolean managed, long epoch);

  /** In the order of their paths, from behind {@code after}; never reserved ones. */
  CompletionStage<List<StreamHead>> list(String prefix, String after, int limit);

  /**
   * Ends what has expired, forgets producers that are long idle and drops data beyond the
   * retention, but never of reserved streams. To be called now and then; what has expired is not
   * seen in between either.
   *
   * @return how much it changed
   */
  CompletionStage<Integer> sweep();

  /** What it did since it was opened; empty: it does not count. */
  default Optional<StreamCounts> counts() {
    return Optional.empty();
  }

  @Override
  void close();
}
