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
 * A request whose answer takes time.
 *
 * @param loop the connection's event loop, on which every use of the response runs
 * @param budget counts the bytes that callers have not taken yet
 */
record AdminExchange(Context loop, HttpServerRequest request, MemoryBudget budget) {
  HttpServerResponse response() {
    return request.response();
  }

  /** Runs a blocking task beside the event loop. Its exception ends the answer. */
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

  /**
   * Writes a piece and waits until the caller's connection has taken it, so that only one piece is
   * held.
   */
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

  /** Cuts the connection if a part was sent, because a partial answer must not look complete. */
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

  /** The caller has closed the connection. */
  static final class HungUp extends RuntimeException {
    private static final long serialVersionUID = 1L;

    HungUp() {
      super("the caller hung up", null, false, false);
    }
  }
}
