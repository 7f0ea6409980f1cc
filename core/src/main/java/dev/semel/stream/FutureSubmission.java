package dev.semel.stream;

import dev.semel.StoreException;
import java.util.concurrent.CompletableFuture;

/** An append whose answer goes into a future. */
record FutureSubmission(StreamPath path, Append request, CompletableFuture<Answer.ToAppend> future)
    implements Streams.Submission {

  @Override
  public void answered(Answer.ToAppend answer) {
    future.complete(answer);
  }

  @Override
  public void failed(StoreException cause) {
    future.completeExceptionally(cause);
  }
}
