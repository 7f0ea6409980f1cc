package dev.semel.server.gateway;

import dev.semel.server.http.BodyBlocks;
import dev.semel.server.http.HeaderNames;
import dev.semel.server.http.MemoryBudget;
import dev.semel.server.http.ProblemDocument;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.function.BiConsumer;

/** Takes in one whole body, within its limits or not at all. On the request's loop. */
final class BodyReader {
  private static final ProblemDocument TOO_SLOW =
      ProblemDocument.of(408, "request-timeout", "the body did not arrive in time: send it again");

  private final HttpServerRequest request;
  private final MemoryBudget budget;
  private final int max;
  private final Runnable tooLarge;
  private final BodyBlocks all;
  private long timer = -1;
  private boolean over;

  /**
   * @param tooLarge tells the caller
   */
  BodyReader(HttpServerRequest request, MemoryBudget budget, int max, Runnable tooLarge) {
    this.request = request;
    this.budget = budget;
    this.all = new BodyBlocks(budget, max);
    this.max = max;
    this.tooLarge = tooLarge;
  }

  /**
   * Calls back once, with everything, or never: then the caller was told why, or hung up.
   *
   * @param whole runs its second argument when it needs the body no more
   */
  void read(Vertx vertx, Duration time, BiConsumer<byte[], Runnable> whole) {
    if (HeaderRules.length(request.headers()) > max) {
      tooLarge.run();
      return;
    }
    timer =
        vertx.setTimer(
            time.toMillis(),
            t ->
                end(
                    () -> {
                      GatewayReplies.closeSoon(request);
                      TOO_SLOW.send(request);
                    }));
    request.handler(this::piece);
    request.exceptionHandler(e -> end(() -> GatewayReplies.broken(request)));
    request.endHandler(
        v -> {
          if (!over) {
            over = true;
            vertx.cancelTimer(timer);
            whole.accept(all.bytes(), all::release);
          }
        });
    if (request.headers().contains(HeaderNames.EXPECT)) {
      request.response().writeContinue();
    }
  }

  private void piece(Buffer piece) {
    if (over) {
      return;
    }
    if (all.length() + (long) piece.length() > max) {
      end(tooLarge);
    } else if (!all.add(piece)) {
      end(
          () -> {
            request.response().putHeader(HeaderNames.RETRY_AFTER, "1");
            GatewayReplies.refuse(request, budget.refusal());
          });
    }
  }

  /** Not all of it will come, or is wanted. */
  private void end(Runnable answer) {
    if (over) {
      return;
    }
    over = true;
    GatewayReplies.loop().owner().cancelTimer(timer);
    all.release();
    answer.run();
  }
}
