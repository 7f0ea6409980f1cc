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

/** Reads whole request bodies. It refuses encoded ones, which it can't decode. */
public final class RequestBodies {
  private final Vertx vertx;
  private final int maxBytes;
  private final MemoryBudget budget;
  private final BodyReader reader;

  /**
   * For one event loop.
   *
   * @param maxBytes limit of one body
   * @param budget shared by all event loops
   */
  public RequestBodies(Vertx vertx, int maxBytes, MemoryBudget budget) {
    this.vertx = vertx;
    this.maxBytes = maxBytes;
    this.budget = budget;
    this.reader = BodyReader.ofShortUse(vertx, budget, new Refusals());
  }

  /** The budget in which these bodies count. */
  public MemoryBudget budget() {
    return budget;
  }

  /** Calls back once with the whole body, or never: then the client got the reason, or hung up. */
  public void read(HttpServerRequest request, Consumer<byte[]> whole) {
    readAndHold(
        request,
        (body, over) -> {
          over.run();
          whole.accept(body);
        });
  }

  /** Reads a body that counts in the budget until the second argument runs, once. */
  void readAndHold(HttpServerRequest request, BiConsumer<byte[], Runnable> whole) {
    if (plain(request) && expectsNothingElse(request)) {
      reader.read(request, maxBytes, whole);
    }
  }

  /** Refuses encoded bodies, because readers would take the encoding for the data itself. */
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
