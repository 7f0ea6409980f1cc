package dev.semel.stream.internal.shared;

import dev.semel.StoreException;
import dev.semel.stream.spi.SharedLog;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Makes sure that this engine knows everything that was in the log when a caller asked. One
 * question is in flight at a time; callers that arrive meanwhile share the next one, because the
 * running answer may be too old for them.
 */
public final class ReadBarrier {
  private final SharedLog log;
  private final SharedState state;
  private boolean asking;
  private @Nullable CompletableFuture<Void> next;

  public ReadBarrier(SharedLog log, SharedState state) {
    this.log = log;
    this.state = state;
  }

  public CompletableFuture<Void> pass() {
    CompletableFuture<Void> mine;
    synchronized (this) {
      if (next == null) {
        next = new CompletableFuture<>();
      }
      mine = next;
      if (asking) {
        return mine;
      }
      asking = true;
      next = null;
    }
    ask(mine);
    return mine;
  }

  private void ask(CompletableFuture<Void> asked) {
    long known = state.applied();
    log.last()
        .whenComplete(
            (last, failure) -> {
              answered();
              if (failure != null) {
                asked.completeExceptionally(unwrap(failure));
              } else if (last < known) { // the answering node is behind, or has lost data
                asked.completeExceptionally(
                    new StoreException("the log knows less than we do: ask again"));
              } else {
                CompletionStage<Void> unused =
                    state
                        .reached(last)
                        .whenComplete(
                            (done, stopped) -> {
                              if (stopped == null) {
                                asked.complete(null);
                              } else {
                                asked.completeExceptionally(unwrap(stopped));
                              }
                            });
              }
            });
  }

  private void answered() {
    CompletableFuture<Void> waiting;
    synchronized (this) {
      waiting = next;
      next = null;
      asking = waiting != null;
    }
    if (waiting != null) {
      ask(waiting);
    }
  }

  public static StoreException unwrap(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause instanceof StoreException s
        ? s
        : new StoreException("the log of the streams can't be asked: " + cause, cause);
  }
}
