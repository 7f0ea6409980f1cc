package dev.semel.server.admin;

import dev.semel.admin.EditConflict;
import dev.semel.server.http.HeaderNames;
import dev.semel.server.http.ProblemDocument;
import dev.semel.server.stream.CallFailures;
import io.vertx.core.http.HttpServerRequest;

/** Error answers of the admin API. */
final class AdminRefusals {
  static final ProblemDocument BUSY =
      ProblemDocument.of(
          503, "busy", "as many requests as this server takes are under way: try again later");

  private AdminRefusals() {}

  static void send(HttpServerRequest request, Throwable failure) {
    send(request, problem(failure));
  }

  static void send(HttpServerRequest request, ProblemDocument problem) {
    if (problem.status() == 503) {
      request.response().putHeader(HeaderNames.RETRY_AFTER, "1");
    }
    problem.send(request);
  }

  private static ProblemDocument problem(Throwable failure) {
    return switch (failure) {
      case NotFound e -> ProblemDocument.notFound(String.valueOf(e.getMessage()));
      case EditConflict e -> ProblemDocument.of(409, "conflict", String.valueOf(e.getMessage()));
      default -> CallFailures.problem(failure);
    };
  }
}
