package dev.semel.server.subscription.internal;

import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamHead;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The engine of streams, as one context sees it: answers come there. One that does not come in time
 * is a failure, after which nobody knows whether the call took effect.
 */
public final class StreamEngine {
  /** How long an answer may take. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Number of streams that are looked up at the same time. */
  private static final int LOOKS = 256;

  private final Streams streams;
  private final Context context;

  public StreamEngine(Streams streams, Context context) {
    this.streams = streams;
    this.context = context;
  }

  Context context() {
    return context;
  }

  private <T> Future<T> ask(Supplier<CompletionStage<T>> call) {
    try {
      return Future.fromCompletionStage(call.get(), context)
          .timeout(PATIENCE)
          .recover(failure -> Future.failedFuture(unwrapped(failure)));
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  private static Throwable unwrapped(Throwable failure) {
    return failure instanceof CompletionException e && e.getCause() != null
        ? e.getCause()
        : failure;
  }

  Future<StreamResult.ToCreate> create(CreateRequest request) {
    return ask(() -> streams.create(request));
  }

  Future<StreamResult.ToAppend> append(StreamPath path, AppendRequest request) {
    return ask(() -> streams.append(path, request));
  }

  Future<StreamResult.ToDelete> delete(StreamPath path) {
    return ask(() -> streams.delete(path));
  }

  Future<StreamResult.ToRead> read(StreamPath path, Offset from, int maxBytes) {
    return ask(() -> streams.read(path, new ReadFrom.At(from), maxBytes));
  }

  Future<List<StreamHead>> list(String prefix, String after, int limit) {
    return ask(() -> streams.list(prefix, after, limit));
  }

  private Future<Optional<StreamHead>> head(StreamPath path) {
    return this.<StreamResult.ToHead>ask(() -> streams.head(path))
        .map(
            answer ->
                answer instanceof StreamResult.Found f ? Optional.of(f.head()) : Optional.empty());
  }

  /** The head of each stream; empty where there is none. */
  Future<Map<StreamPath, Optional<StreamHead>>> heads(Collection<StreamPath> paths) {
    return heads(List.copyOf(paths), 0, new LinkedHashMap<>());
  }

  private Future<Map<StreamPath, Optional<StreamHead>>> heads(
      List<StreamPath> paths, int from, Map<StreamPath, Optional<StreamHead>> found) {
    if (from >= paths.size()) {
      return Future.succeededFuture(found);
    }
    int to = Math.min(from + LOOKS, paths.size());
    List<Future<?>> looks = new ArrayList<>();
    for (StreamPath path : paths.subList(from, to)) {
      looks.add(head(path).onSuccess(head -> found.put(path, head)));
    }
    return Future.all(looks).compose(all -> heads(paths, to, found));
  }
}
