package dev.semel.server.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;

/**
 * Ends the connection of a request. On HTTP/2 it ends only the stream, because other streams of the
 * connection belong to other requests, and HTTP/2 does not allow the header that announces the end
 * of a connection.
 */
public final class ConnectionEnding {
  /**
   * How long the rest of a refused request is discarded, so that its caller can read the answer.
   */
  private static final long LINGER_MILLIS = 500;

  /** Error codes of HTTP/2. */
  private static final long NO_ERROR = 0;

  private static final long INTERNAL_ERROR = 2;

  private ConnectionEnding() {}

  public static boolean http2(HttpServerRequest request) {
    return request.version() == HttpVersion.HTTP_2;
  }

  /** Asks the caller not to use the connection again, unless the answer's head was sent. */
  public static void announce(HttpServerRequest request) {
    HttpServerResponse response = request.response();
    if (!http2(request) && !response.headWritten()) {
      response.putHeader(HeaderNames.CONNECTION, HeaderNames.CLOSE);
    }
  }

  /**
   * Answers a request that could not be parsed as HTTP: 414 for a first line that is too long, 431
   * for headers that are too large, else 400. The connection can't be used again.
   */
  public static void unreadable(HttpServerRequest request) {
    announce(request);
    HttpServerRequest.DEFAULT_INVALID_REQUEST_HANDLER.handle(request);
  }

  /** The answer is complete, and the rest of the request is not wanted. */
  public static void soon(Vertx vertx, HttpServerRequest request) {
    announce(request);
    vertx.setTimer(LINGER_MILLIS, t -> answered(request));
  }

  /** The answer is complete. */
  public static void answered(HttpServerRequest request) {
    if (!http2(request)) {
      request.connection().close();
    } else if (!request.isEnded()) {
      request.response().reset(NO_ERROR);
    }
  }

  /** The answer can't be completed, and its part must not look like the whole. */
  public static void cut(HttpServerRequest request) {
    if (http2(request)) {
      request.response().reset(INTERNAL_ERROR);
    } else {
      request.connection().close();
    }
  }
}
