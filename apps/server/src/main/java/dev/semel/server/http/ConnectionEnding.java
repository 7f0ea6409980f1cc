package dev.semel.server.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;

/**
 * Ends what a request came on. That is its connection, but on HTTP/2 its stream alone: the others
 * of the connection belong to other requests, and the header that announces the end of a connection
 * is not allowed there.
 */
public final class ConnectionEnding {
  /** How long what a refused caller still sends is thrown away, so that it can read the answer. */
  private static final long LINGER_MILLIS = 500;

  /** HTTP/2's codes: nothing was wrong; or the answer can't be finished. */
  private static final long NO_ERROR = 0;

  private static final long INTERNAL_ERROR = 2;

  private ConnectionEnding() {}

  public static boolean http2(HttpServerRequest request) {
    return request.version() == HttpVersion.HTTP_2;
  }

  /** Tells the caller not to use the connection any more, if that can still be told. */
  public static void announce(HttpServerRequest request) {
    HttpServerResponse response = request.response();
    if (!http2(request) && !response.headWritten()) {
      response.putHeader(HeaderNames.CONNECTION, HeaderNames.CLOSE);
    }
  }

  /**
   * Answers what could not even be read as HTTP: 414 for a first line that is too long, 431 for
   * headers that are too large, else 400. The connection can't be trusted any more.
   */
  public static void unreadable(HttpServerRequest request) {
    announce(request);
    HttpServerRequest.DEFAULT_INVALID_REQUEST_HANDLER.handle(request);
  }

  /** The answer is whole, and whatever still comes of the request is not wanted. */
  public static void soon(Vertx vertx, HttpServerRequest request) {
    announce(request);
    vertx.setTimer(LINGER_MILLIS, t -> answered(request));
  }

  /** The answer is whole. */
  public static void answered(HttpServerRequest request) {
    if (!http2(request)) {
      request.connection().close();
    } else if (!request.isEnded()) {
      request.response().reset(NO_ERROR);
    }
  }

  /** The answer can't be finished, and what there is of it must not look like the whole. */
  public static void cut(HttpServerRequest request) {
    if (http2(request)) {
      request.response().reset(INTERNAL_ERROR);
    } else {
      request.connection().close();
    }
  }
}
