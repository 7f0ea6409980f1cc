package dev.semel.server;

import dev.semel.loop.internal.Loop;
import dev.semel.loop.internal.LoopFailures;
import dev.semel.stream.spi.Streams;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Makes an engine remove expired streams every few seconds, one sweep at a time. It counts and logs
 * a failed sweep, and tries again.
 */
final class StreamSweeper implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final Streams streams;
  private final Loop loop;
  private volatile boolean closed;

  /** Only the loop's thread uses it. */
  private CompletableFuture<Integer> last = CompletableFuture.completedFuture(0);

  private StreamSweeper(Streams streams) {
    this.streams = streams;
    this.loop = Loop.start("semel-sweep", this::turn, PAUSE);
  }

  /** Starts the first sweep at once. */
  static StreamSweeper start(Streams streams) {
    return new StreamSweeper(streams);
  }

  /** Never waits for a slow engine, so that the sweeper can be closed at any time. */
  private boolean turn() {
    if (last.isDone()) {
      last = streams.sweep().toCompletableFuture();
      CompletableFuture<Integer> unused = last.whenComplete((count, failure) -> ended(failure));
    }
    return false;
  }

  private void ended(@Nullable Throwable failure) {
    if (failure != null && !closed) {
      Throwable cause = failure.getCause();
      boolean wrapped = failure instanceof CompletionException;
      LoopFailures.report("semel-sweep", wrapped && cause != null ? cause : failure);
    }
  }

  @Override
  public void close() {
    closed = true;
    loop.close();
  }
}
