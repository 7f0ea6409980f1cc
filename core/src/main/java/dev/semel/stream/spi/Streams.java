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
 * The streams of an engine. Safe for use by many threads. An answer is only given when its content
 * will survive whatever the engine promises to survive; an engine that can no longer promise that
 * completes calls with a {@link dev.semel.StoreException}.
 *
 * <p>Answers and wake-ups may come on any thread, even on the caller's before the call returns;
 * they must be short and must not block.
 */
public interface Streams extends AutoCloseable {
  /** One append with its callback; exactly one of the two callbacks is called, once. */
  interface Submission {
    StreamPath path();

    AppendRequest request();

    void answered(StreamResult.ToAppend answer);

    /** Whether the data is there is unknown: the engine can no longer promise anything. */
    void failed(StoreException cause);
  }

  /** A waiting reader; see {@link #await}. */
  interface Waiting {
    /** Prevents the wake-up, unless it is already on its way. */
    void cancel();
  }

  CompletionStage<StreamResult.ToCreate> create(CreateRequest request);

  /**
   * Appends one after the other, in the order of the list. One call with many appends is cheaper
   * than many calls; otherwise they are independent.
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
   * Reads from a place on, and resets the stream's idle time.
   *
   * @param maxBytes where to cut; JSON is cut between messages, and one message always fits
   */
  CompletionStage<StreamResult.ToRead> read(StreamPath path, ReadFrom from, int maxBytes);

  /**
   * Reads for callers that pass data on without looking at it: a long run may be left in its file,
   * as {@link StreamResult.InFile}.
   */
  default CompletionStage<StreamResult.ToRead> readToSend(
      StreamPath path, ReadFrom from, int maxBytes) {
    return read(path, from, maxBytes);
  }

  CompletionStage<StreamResult.ToHead> head(StreamPath path);

  /**
   * Wakes once when a read from there could return something new: data after it, the end of the
   * stream, or that it is gone. At once if that is already so. Blocks no thread meanwhile.
   *
   * @return empty: {@link StreamLimits#waiters} are waiting
   */
  Optional<Waiting> await(StreamPath path, Offset beyond, Runnable wake);

  /** Resets the stream's idle time while readers wait for it. */
  CompletionStage<Boolean> touch(StreamPath path);

  /** The producers in the order of their ids; empty also if there is no such stream. */
  CompletionStage<List<StreamResult.Producer>> producers(StreamPath path);

  /**
   * Fences all epochs of a producer below this one.
   *
   * @param managed true: a producer of the older dialect; these are kept apart
   * @return false: there is no such stream or producer, or it has reached that epoch already
   */
  CompletionStage<Boolean> fence(StreamPath path, String id, boolean managed, long epoch);

  /** Streams in the order of their paths, after {@code after}; never reserved ones. */
  CompletionStage<List<StreamHead>> list(String prefix, String after, int limit);

  /**
   * Deletes expired streams, forgets producers that were idle for long and drops data beyond the
   * retention, except of reserved streams. Call it regularly; expired streams are invisible even
   * before it.
   *
   * @return how much it changed
   */
  CompletionStage<Integer> sweep();

  /** The counts since the engine was opened; empty: it does not count. */
  default Optional<StreamCounts> counts() {
    return Optional.empty();
  }

  @Override
  void close();
}
