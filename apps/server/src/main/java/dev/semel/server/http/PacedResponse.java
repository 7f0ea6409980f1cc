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
 * Writes a response no faster than its connection takes it, one piece at a time. Bytes that a
 * connection has not taken count in the budget; those that it takes at once, as nearly all do, do
 * not. On the request's event loop.
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

  /** Makes a new connection report early that it does not take what is written to it. */
  public static void limit(HttpConnection connection) {
    if (connection instanceof VertxConnection plain) {
      plain.doSetWriteQueueMaxSize(MemoryBudget.SMALL_PIECE_BYTES);
    }
  }

  /**
   * Handles a request once its connection has taken the earlier answers: from a caller that sends
   * requests and reads no answers, the server does not read, either.
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
   * Writes a piece, which must be the only one under way.
   *
   * @param taken called later on the event loop, unless the caller is gone
   * @return true: it was taken at once, and {@code taken} is not called
   */
  public boolean write(Buffer piece, Runnable taken) {
    Future<Void> written = response.write(piece);
    if (written.isComplete()) {
      return written.succeeded();
    }
    // Deferred: Vert.x completes this in the middle of a write, and a nested write would tear both.
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

  /** Bytes that at least become free when this is cut. */
  long bytes() {
    return bytes;
  }

  /** Ends the connection of a caller that takes nothing. From any thread. */
  void cut() {
    loop.runOnContext(v -> abort(request));
  }

  /**
   * Ends a connection without waiting until the caller has taken what was written, which may be
   * never. On HTTP/2 it ends only the request's stream. On the event loop.
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
   * Sends a whole body and ends the response. A long body goes in pieces and counts until the end;
   * if there is no room for it, the caller gets a refusal instead.
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

  /** Sends a body that stays in memory anyway, so that only a piece counts. */
  public static void sendKept(MemoryBudget budget, HttpServerRequest request, Buffer body) {
    if (body.length() <= MemoryBudget.SMALL_PIECE_BYTES) {
      new PacedResponse(budget, request).end(body);
    } else {
      pieces(budget, request, body.length(), body::slice, () -> {});
    }
  }

  /**
   * Removes the headers of the answer that can't be sent, because they don't describe the refusal.
   */
  private static void refuseInstead(MemoryBudget budget, HttpServerRequest request) {
    request.response().headers().clear();
    budget.refuse(request);
  }

  /** Returns the part of a body between two positions. */
  @FunctionalInterface
  public interface Slices {
    Buffer slice(int from, int to);
  }

  /**
   * Sends a body in pieces; the caller counts it.
   *
   * @param over called once, when this response does not need the body any more
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
