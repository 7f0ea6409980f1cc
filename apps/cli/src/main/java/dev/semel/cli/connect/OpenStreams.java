package dev.semel.cli.connect;

import dev.semel.stream.spi.Streams;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Streams that a command uses.
 *
 * @param remote whether a server has them, which may come back after a failure
 */
public record OpenStreams(Streams streams, boolean remote) implements AutoCloseable {
  /** Waits for an answer. */
  public static <A> A get(CompletionStage<A> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  @Override
  public void close() {
    streams.close();
  }
}
