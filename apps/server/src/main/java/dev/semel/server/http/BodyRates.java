package dev.semel.server.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Ends requests whose body comes too slowly: a sender of single bytes would otherwise hold memory,
 * and a connection to the service behind, for as long as it likes. For one event loop.
 */
public final class BodyRates {
  /** Number of checks within the time over which rates are measured. */
  private static final int LOOKS = 10;

  private final Vertx vertx;
  private final ServerConnections connections;
  private final long leastBytes;
  private final long windowNanos;
  private final ProblemDocument tooSlow;
  private final IdentityHashMap<HttpServerRequest, Body> coming = new IdentityHashMap<>();
  private long lastLook = System.nanoTime();

  /** A body under way. */
  private static final class Body {
    private BooleanSupplier excuse = () -> false;
    private long since;
    private long bytes;

    void begin(long now, HttpServerRequest request) {
      since = now;
      bytes = request.bytesRead();
    }
  }

  public BodyRates(Vertx vertx, ServerConnections connections) {
    ConnectionLimits limits = connections.limits();
    long windowMillis = limits.rateWindow().toMillis();
    this.vertx = vertx;
    this.connections = connections;
    this.leastBytes = Math.max(1, limits.minBodyRate() * windowMillis / 1000);
    this.windowNanos = TimeUnit.MILLISECONDS.toNanos(windowMillis);
    this.tooSlow =
        ProblemDocument.of(
            408,
            "body-too-slow",
            "the body came with less than %d bytes per second: send it faster"
                .formatted(limits.minBodyRate()));
    if (limits.minBodyRate() > 0) {
      long unused = vertx.setPeriodic(windowMillis / LOOKS, timer -> look());
    }
  }

  /** Measures the body from now on, until it is complete. */
  void watch(HttpServerRequest request) {
    if (connections.limits().minBodyRate() == 0 || !hasBody(request)) {
      return;
    }
    Body body = new Body();
    body.begin(System.nanoTime(), request);
    coming.put(request, body);
    request.end().onComplete(ended -> coming.remove(request));
  }

  private static boolean hasBody(HttpServerRequest request) {
    String length = request.headers().get(HeaderNames.CONTENT_LENGTH);
    return length == null
        // HTTP/2 need not declare a body: without one, the end comes at once.
        ? ConnectionEnding.http2(request)
            || request.headers().contains(HeaderNames.TRANSFER_ENCODING)
        : !length.equals("0");
  }

  /**
   * Excuses a slow sender.
   *
   * @param excuse whether the server itself delays the body at the moment
   */
  public void excuse(HttpServerRequest request, BooleanSupplier excuse) {
    Body body = coming.get(request);
    if (body != null) {
      body.excuse = excuse;
    }
  }

  private void look() {
    long now = System.nanoTime();
    // A delayed event loop has not read what came meanwhile.
    boolean late = now - lastLook > windowNanos / 2;
    lastLook = now;
    // On HTTP/2, a body that the server does not take may block others of its connection.
    Set<HttpConnection> excused = Collections.newSetFromMap(new IdentityHashMap<>());
    coming.forEach(
        (request, body) -> {
          if (body.excuse.getAsBoolean()) {
            excused.add(request.connection());
          }
        });
    for (Map.Entry<HttpServerRequest, Body> entry : List.copyOf(coming.entrySet())) {
      HttpServerRequest request = entry.getKey();
      Body body = entry.getValue();
      if (late || excused.contains(request.connection())) {
        body.begin(now, request);
      } else if (now - body.since >= windowNanos) {
        if (request.bytesRead() - body.bytes < leastBytes) {
          coming.remove(request);
          cut(request);
        } else {
          body.begin(now, request);
        }
      }
    }
  }

  /** Pauses first: a body that completes now must not take effect beside the refusal. */
  private void cut(HttpServerRequest request) {
    HttpServerResponse response = request.response();
    connections.slowBody();
    request.pause();
    if (response.headWritten() || response.closed()) {
      ConnectionEnding.cut(request);
      return;
    }
    ConnectionEnding.soon(vertx, request);
    tooSlow.send(request);
  }
}
