package dev.semel.cli.serve;

import dev.semel.StoreException;
import dev.semel.stream.Streams;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Streams that a server opened by their URL.
 *
 * @param where they are, for people
 * @param failed completes when the engine can't promise anything any more
 */
record ServedStreams(Streams streams, String where, CompletionStage<StoreException> failed)
    implements AutoCloseable {
  /** Streams that can't fail. */
  static ServedStreams of(Streams streams, String where) {
    return new ServedStreams(streams, where, new CompletableFuture<>());
  }

  @Override
  public void close() {
    streams.close();
  }
}
