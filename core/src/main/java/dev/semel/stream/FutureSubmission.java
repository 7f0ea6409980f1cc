package dev.semel.stream;

import dev.semel.StoreException;
import java.util.concurrent.CompletableFuture;

/** An append whose answer goes into a future. */
record FutureSubmission(
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
