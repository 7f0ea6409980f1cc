package dev.semel.stream.internal;

import dev.semel.StoreException;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams;
import java.util.concurrent.CompletableFuture;

/** An append whose answer completes a future. */
public record FutureSubmission(
    StreamPath path, AppendRequest request, CompletableFuture<StreamResult.ToAppend> future)
    implements Streams.Submission {

  @Override
  public void answered(StreamResult.ToAppend answer) {
    future.complete(answer);
  }

  @Override
  public void failed(StoreException cause) {
    future.completeExceptionally(cause);
  }
}
