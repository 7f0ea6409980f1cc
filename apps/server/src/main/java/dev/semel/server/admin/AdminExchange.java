package dev.semel.server.admin;

import dev.semel.loop.internal.Loop;
import dev.semel.server.http.ConnectionEnding;
import dev.semel.server.http.MemoryBudget;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.CompletableFuture;

/**
 * A request that is answered over time.
 *
 * @param loop of its connection: whatever touches the response runs there
 * @param budget of what callers have not taken
 */
record AdminExchange(Context loop, HttpServerRequest request, MemoryBudget budget) {
  HttpServerResponse response() {
    return request.response();
  }

  /** Something that may block. What it throws ends the answer. */
  void beside(Runnable task) {
    Loop.beside(
        "semel-admin",
        () -> {
          try {
            task.run();
          } catch (RuntimeException | Error e) {
            onLoop(() -> failed(e));
          }
        });
  }

  void onLoop(Runnable task) {
    loop.runOnContext(v -> task.run());
  }

  /** Waits until the caller's connection has taken it, so that no more is held than one piece. */
  void write(Buffer piece) {
    CompletableFuture<Boolean> taken = new CompletableFuture<>();
    onLoop(
        () -> {
          if (response().closed()) {
            taken.complete(false);
          } else {
            budget.add(piece.length());
            response()
                .write(piece)
                .onComplete(
                    sent -> {
                      budget.letGo(piece.length());
                      taken.complete(sent.succeeded());
                    });
          }
        });
    if (!taken.join()) {
      throw new HungUp();
    }
  }

  /** Half of an answer must not look like the whole. */
  private void failed(Throwable failure) {
    if (failure instanceof HungUp) {
      return;
    }
    if (response().headWritten()) {
      ConnectionEnding.cut(request);
    } else {
      AdminRefusals.send(request, failure);
    }
  }

  /** The caller is not there any more. */
  static final class HungUp extends RuntimeException {
    private static final long serialVersionUID = 1L;

    HungUp() {
      super("the caller hung up", null, false, false);
    }
  }
}
