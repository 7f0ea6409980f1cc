package dev.semel.server.http;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.core.net.impl.VertxConnection;
import java.util.Objects;

/**
 * Writes a response no faster than its connection takes it: one piece at a time, and the next when
 * that was taken. What a connection has not taken counts in the budget; what it takes at once, as
 * nearly all do, is not counted at all. On the request's loop.
 */
public final class PacedResponse {
  private final MemoryBudget budget;
  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final Context loop;
  private volatile long since;
  private volatile long bytes;

  public PacedResponse(MemoryBudget budget, HttpServerRequest request) {
    this.budget = budget;
    this.request = request;
    this.response = request.response();
    this.loop = Objects.requireNonNull(Vertx.currentContext(), "responses are written on a loop");
  }

  /** Has a new connection say early that it does not take what is written to it. */
  public static void limit(HttpConnection connection) {
    if (connection instanceof VertxConnection plain) {
      plain.doSetWriteQueueMaxSize(MemoryBudget.SMALL_PIECE_BYTES);
    }
  }

  /**
   * Handles a request when its connection has taken the answers before it: who sends requests and
   * reads no answers is not read from, either.
   */
  public static void inTurn(
      MemoryBudget budget, HttpServerRequest request, Handler<HttpServerRequest> then) {
    if (request.response().writeQueueFull()) {
      new PacedResponse(budget, request).await(then);
    } else {
      then.handle(request);
    }
  }

  private void await(Handler<HttpServerRequest> then) {
    request.pause();
    count(MemoryBudget.SMALL_PIECE_BYTES);
    response.closeHandler(v -> over(MemoryBudget.SMALL_PIECE_BYTES));
    response.drainHandler(
        v -> {
          response.drainHandler(null);
          response.closeHandler(null);
          over(MemoryBudget.SMALL_PIECE_BYTES);
          loop.runOnContext(
              later -> {
                request.resume();
                then.handle(request);
              });
        });
  }

  /**
   * Writes a piece, which must be the only one that is on its way.
   *
   * @param taken called later, on the loop, unless the caller is gone
   * @return true: it was taken at once, and {@code taken} is not called
   */
  public boolean write(Buffer piece, Runnable taken) {
    Future<Void> written = response.write(piece);
    if (written.isComplete()) {
      return written.succeeded();
    }
    // Not here: this is told in the middle of a write, and one within another would tear both.
    count(written, piece.length()).onSuccess(v -> loop.runOnContext(later -> taken.run()));
    return false;
  }

  /** Writes the last piece. */
  public void end(Buffer piece) {
    Future<Void> written = response.end(piece);
    if (!written.isComplete()) {
      Future<Void> unused = count(written, piece.length());
    }
  }

  private Future<Void> count(Future<Void> written, int length) {
    count(length);
    return written.onComplete(taken -> over(length));
  }

  private void count(int length) {
    budget.add(length);
    bytes = length;
    since = budget.nanos();
    budget.waits(this);
  }

  private void over(int length) {
    budget.goesOn(this);
    budget.letGo(length);
  }

  /** Since when it waits for its caller, by the budget's clock. */
  long since() {
    return since;
  }

  /** How much becomes free without it, at least. */
  long bytes() {
    return bytes;
  }

  /** Hangs up on whoever takes nothing. From any thread. */
  void cut() {
    loop.runOnContext(v -> abort(request));
  }

  /**
   * Ends a connection without waiting until all that was written is taken, which may be never. One
   * of several requests of a connection ends alone. On the loop.
   */
  public static void abort(HttpServerRequest request) {
    boolean alone =
        request.version() == HttpVersion.HTTP_1_1 || request.version() == HttpVersion.HTTP_1_0;
    if (alone && request.connection() instanceof ConnectionBase connection) {
      Object unused = connection.channelHandlerContext().close();
    } else {
      request.response().reset();
    }
  }

  /**
   * Sends a whole body, and ends the response. A long one goes in pieces and is held for as long as
   * that takes; where there is no room for it the caller is told so instead.
   */
  public static void send(MemoryBudget budget, HttpServerRequest request, Buffer body) {
    if (body.length() <= MemoryBudget.SMALL_PIECE_BYTES) {
      new PacedResponse(budget, request).end(body);
    } else if (budget.take(body.length())) {
      pieces(budget, request, body.length(), body::slice, () -> budget.letGo(body.length()));
    } else {
      refuseInstead(budget, request);
    }
  }

  /** The same for a body that is there anyway, so that sending it takes no more than a piece. */
  public static void sendKept(MemoryBudget budget, HttpServerRequest request, Buffer body) {
    if (body.length() <= MemoryBudget.SMALL_PIECE_BYTES) {
      new PacedResponse(budget, request).end(body);
    } else {
      pieces(budget, request, body.length(), body::slice, () -> {});
    }
  }

  /** What was said of the answer that can't be sent must not be said of the refusal. */
  private static void refuseInstead(MemoryBudget budget, HttpServerRequest request) {
    request.response().headers().clear();
    budget.refuse(request);
  }

  /** Gives a part of a body, from one place to another. */
  @FunctionalInterface
  public interface Slices {
    Buffer slice(int from, int to);
  }

  /**
   * The same for a body that others count.
   *
   * @param over called once, when this response needs the body no more
   */
  public static void pieces(
      MemoryBudget budget, HttpServerRequest request, int length, Slices body, Runnable over) {
    HttpServerResponse response = request.response();
    if (response.closed()) {
      over.run();
      return;
    }
    response.putHeader(HeaderNames.CONTENT_LENGTH, Integer.toString(length));
    new Pieces(new PacedResponse(budget, request), length, body, over).begin();
  }

  private static final class Pieces {
    private final PacedResponse paced;
    private final int length;
    private final Slices body;
    private final Runnable whenOver;
    private int at;
    private boolean over;

    Pieces(PacedResponse paced, int length, Slices body, Runnable whenOver) {
      this.paced = paced;
      this.length = length;
      this.body = body;
      this.whenOver = whenOver;
    }

    void begin() {
      paced.response.closeHandler(v -> end());
      paced.response.exceptionHandler(e -> end());
      goOn();
    }

    private void goOn() {
      while (!over) {
        int start = at;
        at = Math.min(length, start + paced.budget.pieceBytes());
        Buffer piece = body.slice(start, at);
        if (at == length) {
          end();
          paced.end(piece);
        } else if (!paced.write(piece, this::goOn)) {
          return;
        }
      }
    }

    private void end() {
      if (!over) {
        over = true;
        whenOver.run();
      }
    }
  }
}
