package dev.semel.server.stream;

import dev.semel.server.http.Ending;
import dev.semel.server.http.Names;
import dev.semel.server.http.Problem;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Takes in whole bodies, and refuses those that are too large as early as that is known. */
public final class Bodies {
  private static final byte[] NONE = new byte[0];

  private final Vertx vertx;
  private final int maxBytes;
  private final long maxAllBytes;
  private final AtomicLong held;

  /**
   * For one loop.
   *
   * @param maxBytes of one body
   * @param held shared by all loops
   */
  public Bodies(Vertx vertx, int maxBytes, Serving serving, AtomicLong held) {
    this.vertx = vertx;
    this.maxBytes = maxBytes;
    this.maxAllBytes = serving.maxBodiesBytes();
    this.held = held;
  }

  /** Calls back once, with everything, or never: then the client was told why, or hung up. */
  public void read(HttpServerRequest request, Consumer<byte[]> whole) {
    String length = request.headers().get(Names.CONTENT_LENGTH);
    if (length != null && tooLong(length)) {
      refuse(request, tooLarge(maxBytes));
      return;
    }
    if (!plain(request) || !continues(request)) {
      return;
    }
    Intake intake = new Intake(request, whole);
    request.handler(intake::piece);
    request.endHandler(v -> intake.end());
    request.exceptionHandler(e -> intake.release());
  }

  private boolean tooLong(String length) {
    // The HTTP decoder has made sure that these are digits.
    return length.length() > 18 || Long.parseLong(length) > maxBytes;
  }

  /** What we could not undo would be taken for the data itself. */
  private boolean plain(HttpServerRequest request) {
    String transfer = request.headers().get(Names.TRANSFER_ENCODING);
    if (transfer != null && !transfer.strip().equalsIgnoreCase("chunked")) {
      refuse(
          request,
          Problem.of(501, "transfer-encoding", "the only Transfer-Encoding here is chunked"));
      return false;
    }
    String content = request.headers().get(Names.CONTENT_ENCODING);
    if (content != null && !content.strip().equalsIgnoreCase("identity")) {
      refuse(
          request,
          Problem.of(415, "content-encoding", "bodies are taken as they are: don't encode them"));
      return false;
    }
    return true;
  }

  private boolean continues(HttpServerRequest request) {
    String expect = request.headers().get(Names.EXPECT);
    if (expect == null) {
      return true;
    }
    if (expect.equalsIgnoreCase("100-continue")) {
      request.response().writeContinue();
      return true;
    }
    refuse(
        request,
        Problem.of(417, "expectation-failed", "only 100-continue can be expected: leave it out"));
    return false;
  }

  static Problem tooLarge(long max) {
    return Problem.of(
        413,
        "too-large",
        "the body is over the limit of %d bytes: send less at once".formatted(max));
  }

  private void refuse(HttpServerRequest request, Problem problem) {
    if (!request.isEnded()) {
      request.handler(dropped -> {});
    }
    Ending.soon(vertx, request);
    problem.send(request);
  }

  private final class Intake {
    private final HttpServerRequest request;
    private final Consumer<byte[]> whole;
    private @Nullable Buffer first;
    private @Nullable Buffer all;
    private long counted;
    private boolean over;

    Intake(HttpServerRequest request, Consumer<byte[]> whole) {
      this.request = request;
      this.whole = whole;
    }

    void piece(Buffer piece) {
      if (over) {
        return;
      }
      if (first == null) {
        first = piece; // most bodies end here, and are never copied together
      } else if (!collect(piece)) {
        over = true;
        release();
        first = null;
        all = null;
      }
    }

    private boolean collect(Buffer piece) {
      Buffer sum = all;
      if (sum == null) {
        Buffer start = Objects.requireNonNull(first);
        if (!count(start.length())) {
          return false;
        }
        sum = Buffer.buffer(2 * start.length()).appendBuffer(start);
        all = sum;
      }
      if (sum.length() + (long) piece.length() > maxBytes) {
        refuse(request, tooLarge(maxBytes));
        return false;
      }
      if (!count(piece.length())) {
        return false;
      }
      sum.appendBuffer(piece);
      return true;
    }

    private boolean count(int bytes) {
      counted += bytes;
      if (held.addAndGet(bytes) <= maxAllBytes) {
        return true;
      }
      request.response().putHeader(Names.RETRY_AFTER, "1");
      refuse(
          request,
          Problem.of(
              429,
              "too-many-bodies",
              "bodies of %d bytes are coming in at the moment: try again later"
                  .formatted(maxAllBytes)));
      return false;
    }

    void end() {
      if (over) {
        return;
      }
      release();
      Buffer body = all != null ? all : first;
      if (body != null && body.length() > maxBytes) {
        refuse(request, tooLarge(maxBytes));
      } else {
        whole.accept(body == null ? NONE : body.getBytes());
      }
    }

    void release() {
      held.addAndGet(-counted);
      counted = 0;
    }
  }
}
