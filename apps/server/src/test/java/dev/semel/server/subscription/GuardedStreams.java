package dev.semel.server.subscription;

import dev.semel.StoreException;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamHead;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** An engine behind a guard, which decides which calls reach it and get their answers. */
final class GuardedStreams implements Streams {
  /** Decides about a call. */
  interface Guard {
    <T> CompletionStage<T> call(boolean write, Supplier<CompletionStage<T>> call);
  }

  private final Streams inner;
  private final Guard guard;

  GuardedStreams(Streams inner, Guard guard) {
    this.inner = inner;
    this.guard = guard;
  }

  private <T> CompletionStage<T> call(boolean write, Supplier<CompletionStage<T>> call) {
    return guard.call(write, call);
  }

  @Override
  public CompletionStage<StreamResult.ToCreate> create(CreateRequest request) {
    return call(true, () -> inner.create(request));
  }

  @Override
  public void append(List<Submission> batch) {
    for (Submission each : batch) {
      append(each.path(), each.request())
          .whenComplete(
              (answer, failure) -> {
                if (failure == null) {
                  each.answered(answer);
                } else {
                  each.failed(new StoreException("the guard let it fail", failure));
                }
              });
    }
  }

  @Override
  public CompletionStage<StreamResult.ToAppend> append(StreamPath path, AppendRequest request) {
    return call(true, () -> inner.append(path, request));
  }

  @Override
  public CompletionStage<StreamResult.ToDelete> delete(StreamPath path) {
    return call(true, () -> inner.delete(path));
  }

  @Override
  public CompletionStage<StreamResult.ToRead> read(StreamPath path, ReadFrom from, int maxBytes) {
    return call(false, () -> inner.read(path, from, maxBytes));
  }

  @Override
  public CompletionStage<StreamResult.ToHead> head(StreamPath path) {
    return call(false, () -> inner.head(path));
  }

  @Override
  public Optional<Waiting> await(StreamPath path, Offset beyond, Runnable wake) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<Boolean> touch(StreamPath path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<List<StreamResult.Producer>> producers(StreamPath path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<Boolean> fence(StreamPath path, String id, boolean managed, long epoch) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<List<StreamHead>> list(String prefix, String after, int limit) {
    return call(false, () -> inner.list(prefix, after, limit));
  }

  @Override
  public CompletionStage<Integer> sweep() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
