package dev.semel.server.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * That a server is about to stop: whoever asks whether it is ready is told no, and every connection
 * is given up with its next answer. So callers go elsewhere while all that they ask is still
 * answered. Shared by all loops.
 */
public final class ShutdownState {
  /** Longer than any request takes: the server's own end comes before. */
  private static final Duration STREAMS_MAY_TAKE = Duration.ofHours(1);

  private volatile boolean begun;

  public void begin() {
    begun = true;
  }

  /**
   * Begins, and returns when callers had so long to turn to others.
   *
   * @return whether the caller was interrupted, which cuts it short; its flag is cleared
   */
  public boolean begin(Duration drain) {
    begin();
    if (Thread.interrupted()) {
      return true;
    }
    try {
      TimeUnit.NANOSECONDS.sleep(drain.toNanos());
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }

  public boolean begun() {
    return begun;
  }

  /** Has the caller come on another connection next time, if it is time. */
  public void tell(HttpServerRequest request) {
    if (begun) {
      last(request);
    }
  }

  /** Gives up the connection with the answer to this request. */
  public static void last(HttpServerRequest request) {
    if (ConnectionEnding.http2(request)) {
      // New requests go elsewhere from now on; it ends with the last of those that are under way.
      request.connection().shutdown(STREAMS_MAY_TAKE);
      return;
    }
    HttpServerResponse response = request.response();
    if (!response.headWritten()) {
      response.putHeader(HeaderNames.CONNECTION, HeaderNames.CLOSE);
    }
    // Later, because the end of a request may be told after that of its answer.
    response.endHandler(
        v -> Objects.requireNonNull(Vertx.currentContext()).runOnContext(later -> end(request)));
  }

  /** Who still sends a body would meet a reset, and lose the answer with it. */
  private static void end(HttpServerRequest request) {
    if (request.isEnded()) {
      request.connection().close();
    }
  }
}
