package dev.semel.server.stream;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.journal.JournalException;
import dev.semel.server.http.HeaderNames;
import dev.semel.server.http.MemoryBudget;
import dev.semel.server.http.ProblemDocument;
import dev.semel.stream.spi.LogFull;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.CompletionException;

/** Error answers for calls that failed. */
public final class CallFailures {
  private static final System.Logger LOG = System.getLogger("dev.semel.server");

  static final ProblemDocument NO_ROOM =
      ProblemDocument.of(
          507,
          "disk-full",
          "there is no room, on the server's disk or in the log that it shares: nothing was written");

  private CallFailures() {}

  public static void send(HttpServerRequest request, Throwable failure) {
    ProblemDocument problem = problem(failure);
    if (problem.status() == 503) {
      request.response().putHeader(HeaderNames.RETRY_AFTER, "1");
    }
    problem.send(request);
  }

  public static ProblemDocument problem(Throwable failure) {
    return switch (failure) {
      case CompletionException e -> e.getCause() == null ? bug(e) : problem(e.getCause());
      case MemoryBudget.Exceeded e -> e.problem();
      case InvalidInput e -> ProblemDocument.malformed(String.valueOf(e.getMessage()));
      case JournalException.Full e -> NO_ROOM;
      case LogFull e -> NO_ROOM;
      case StoreException e ->
          ProblemDocument.of(
              503,
              "store-unavailable",
              "the server can't reach its store: whether this took effect is unknown, so repeat it the same way");
      default -> bug(failure);
    };
  }

  private static ProblemDocument bug(Throwable failure) {
    report(failure);
    return ProblemDocument.of(500, "internal", "the server failed: its log says more");
  }

  static void report(Throwable failure) {
    LOG.log(System.Logger.Level.ERROR, "a request failed for a reason of our own", failure);
  }
}
