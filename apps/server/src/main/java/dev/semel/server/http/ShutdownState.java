package dev.semel.server.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Whether a server is about to stop. From then on it is not ready, and it ends each connection with
 * its next answer. So callers choose other servers, while all their requests are still answered.
 * Shared by all event loops.
 */
public final class ShutdownState {
  /** Longer than any request takes: the server ends before. */
  private static final Duration STREAMS_MAY_TAKE = Duration.ofHours(1);

  private volatile boolean begun;

  public void begin() {
    begun = true;
  }

  /**
   * Begins the shutdown, and returns when callers had this time to choose other servers.
   *
   * @return whether an interrupt cut it short; the thread's flag is cleared
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

  /** Ends the connection with this answer, if the shutdown has begun. */
  public void tell(HttpServerRequest request) {
    if (begun) {
      last(request);
    }
  }

  /** Ends the connection with the answer to this request. */
  public static void last(HttpServerRequest request) {
    if (ConnectionEnding.http2(request)) {
      // New requests go elsewhere; the connection ends with its last request under way.
      request.connection().shutdown(STREAMS_MAY_TAKE);
      return;
    }
    HttpServerResponse response = request.response();
    if (!response.headWritten()) {
      response.putHeader(HeaderNames.CONNECTION, HeaderNames.CLOSE);
    }
    // Deferred, because Vert.x may report the end of a request after that of its answer.
    response.endHandler(
        v -> Objects.requireNonNull(Vertx.currentContext()).runOnContext(later -> end(request)));
  }

  /** Not while the caller still sends a body: it would get a reset, and lose the answer with it. */
  private static void end(HttpServerRequest request) {
    if (request.isEnded()) {
      request.connection().close();
    }
  }
}
