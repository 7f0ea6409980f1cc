package dev.semel.server.stream;

import dev.semel.server.http.BodyReader;
import dev.semel.server.http.ConnectionEnding;
import dev.semel.server.http.HeaderNames;
import dev.semel.server.http.MemoryBudget;
import dev.semel.server.http.ProblemDocument;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Takes in whole bodies as they are: none that is encoded in a way that we could not undo. */
public final class RequestBodies {
  private final Vertx vertx;
  private final int maxBytes;
  private final MemoryBudget budget;
  private final BodyReader reader;

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
    this.reader = BodyReader.ofShortUse(vertx, budget, new Refusals());
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
    if (plain(request) && expectsNothingElse(request)) {
      reader.read(request, maxBytes, whole);
    }
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

  private boolean expectsNothingElse(HttpServerRequest request) {
    String expect = request.headers().get(HeaderNames.EXPECT);
    if (expect == null || expect.equalsIgnoreCase("100-continue")) {
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

  private final class Refusals implements BodyReader.Refusals {
    @Override
    public void tooLarge(HttpServerRequest request, int max) {
      refuse(request, RequestBodies.tooLarge(max));
    }

    @Override
    public void noRoom(HttpServerRequest request) {
      request.response().putHeader(HeaderNames.RETRY_AFTER, "1");
      refuse(request, budget.refusal());
    }
  }
}
