package dev.semel.server.gateway;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerResponse;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An answer of a guarded request that is passed on piece by piece. It holds the last piece back
 * until the end is recorded, so that a caller with the whole answer can rely on the record. It does
 * not hold events back, because none is known to be the last. If a caller hangs up, the upstream's
 * answer is still read to its end.
 */
final class StreamedAnswer {
  private final HttpServerResponse to;
  private final HttpClientResponse from;
  private final boolean atOnce;
  private @Nullable Buffer last;

  StreamedAnswer(HttpServerResponse to, HttpClientResponse from, boolean atOnce) {
    this.to = to;
    this.from = from;
    this.atOnce = atOnce;
    to.closeHandler(v -> from.resume());
    to.exceptionHandler(e -> from.resume());
    if (atOnce && !to.closed()) {
      to.writeHead();
    }
  }

  void piece(Buffer piece) {
    Buffer next = atOnce ? piece : last;
    last = piece;
    if (next == null || next.length() == 0 || to.closed()) {
      return;
    }
    to.write(next);
    if (to.writeQueueFull()) {
      from.pause();
      // Deferred: Vert.x calls this in the middle of a write, and a nested write would tear both.
      Context loop = Objects.requireNonNull(Vertx.currentContext(), "pieces come on a loop");
      to.drainHandler(v -> loop.runOnContext(then -> from.resume()));
    }
  }

  void end() {
    if (to.closed()) {
      return;
    }
    if (atOnce || last == null) {
      to.end();
    } else {
      to.end(last);
    }
  }
}
