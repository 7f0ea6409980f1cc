package dev.semel.server.stream;

import dev.semel.server.http.BodyBlocks;
import dev.semel.server.http.ConnectionEnding;
import dev.semel.server.http.HeaderNames;
import dev.semel.server.http.MemoryBudget;
import dev.semel.server.http.ProblemDocument;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Takes in whole bodies, and refuses those that are too large as early as that is known. */
public final class RequestBodies {
  private static final byte[] NONE = new byte[0];

  private final Vertx vertx;
  private final int maxBytes;
  private final MemoryBudget budget;

  /**
   * For one loop.
   *
   * @param maxBytes of one body
   * @param budget shared by all loops
   */
  public RequestBodies(Vertx vertx, int maxBytes, MemoryBudget budget) {
    this.vertx = vertx;
    this.maxBytes = maxBytes;
    this.budget = budget;
  }

  /** What is held of all that this takes in. */
  public MemoryBudget budget() {
    return budget;
  }

  /** Calls back once, with everything, or never: then the client was told why, or hung up. */
  public void read(HttpServerRequest request, Consumer<byte[]> whole) {
    readAndHold(
        request,
        (body, over) -> {
          over.run();
          whole.accept(body);
        });
  }

  /** The same for a body that counts in the budget until the second argument was run, once. */
  void readAndHold(HttpServerRequest request, BiConsumer<byte[], Runnable> whole) {
    String length = request.headers().get(HeaderNames.CONTENT_LENGTH);
    if (length != null && tooLong(length)) {
      refuse(request, tooLarge(maxBytes));
      return;
    }
    if (!plain(request) || !continues(request)) {
      return;
    }
    Intake intake = new Intake(request, length == null ? -1 : Long.parseLong(length), whole);
    request.handler(intake::piece);
    request.endHandler(v -> intake.end());
    request.exceptionHandler(e -> intake.broken());
  }

  private boolean tooLong(String length) {
    // The HTTP decoder has made sure that these are digits.
    return length.length() > 18 || Long.parseLong(length) > maxBytes;
  }

  /** What we could not undo would be taken for the data itself. */
  private boolean plain(HttpServerRequest request) {
    String transfer = request.headers().get(HeaderNames.TRANSFER_ENCODING);
    if (transfer != null && !transfer.strip().equalsIgnoreCase("chunked")) {
      refuse(
          request,
          ProblemDocument.of(
              501, "transfer-encoding", "the only Transfer-Encoding here is chunked"));
      return false;
    }
    String content = request.headers().get(HeaderNames.CONTENT_ENCODING);
    if (content != null && !content.strip().equalsIgnoreCase("identity")) {
      refuse(
          request,
          ProblemDocument.of(
              415, "content-encoding", "bodies are taken as they are: don't encode them"));
      return false;
    }
    return true;
  }

  private boolean continues(HttpServerRequest request) {
    String expect = request.headers().get(HeaderNames.EXPECT);
    if (expect == null) {
      return true;
    }
    if (expect.equalsIgnoreCase("100-continue")) {
      request.response().writeContinue();
      return true;
    }
    refuse(
        request,
        ProblemDocument.of(
            417, "expectation-failed", "only 100-continue can be expected: leave it out"));
    return false;
  }

  static ProblemDocument tooLarge(long max) {
    return ProblemDocument.of(
        413,
        "too-large",
        "the body is over the limit of %d bytes: send less at once".formatted(max));
  }

  private void refuse(HttpServerRequest request, ProblemDocument problem) {
    if (!request.isEnded()) {
      request.handler(dropped -> {});
    }
    ConnectionEnding.soon(vertx, request);
    problem.send(request);
  }

  private final class Intake {
    private final HttpServerRequest request;
    private final long expected;
    private final BiConsumer<byte[], Runnable> whole;
    private @Nullable Buffer first;
    private @Nullable BodyBlocks all;
    private boolean over;

    /**
     * @param expected how long it is; negative: its end tells
     */
    Intake(HttpServerRequest request, long expected, BiConsumer<byte[], Runnable> whole) {
      this.request = request;
      this.expected = expected;
      this.whole = whole;
    }

    void piece(Buffer piece) {
      if (over) {
        return;
      }
      if (all == null && piece.length() == expected) {
        first = piece; // most bodies end here, and are neither counted nor copied together
      } else if (!collect(piece)) {
        over = true;
        release();
        first = null;
      }
    }

    private boolean collect(Buffer piece) {
      BodyBlocks sum = all;
      if (sum == null) {
        sum = new BodyBlocks(budget, expected < 0 ? maxBytes : expected);
        all = sum;
      }
      if (sum.length() + (long) piece.length() > maxBytes) {
        refuse(request, tooLarge(maxBytes));
        return false;
      }
      if (!sum.add(piece)) {
        request.response().putHeader(HeaderNames.RETRY_AFTER, "1");
        refuse(request, budget.refusal());
        return false;
      }
      return true;
    }

    void end() {
      if (over) {
        return;
      }
      over = true;
      BodyBlocks sum = all;
      if (sum != null) {
        whole.accept(sum.bytes(), sum::release);
      } else {
        whole.accept(first == null ? NONE : first.getBytes(), () -> {});
      }
    }

    /** The caller left in the middle of it. */
    void broken() {
      if (!over) {
        over = true;
        release();
      }
    }

    private void release() {
      BodyBlocks sum = all;
      if (sum != null) {
        sum.release();
        all = null;
      }
    }
  }
}
