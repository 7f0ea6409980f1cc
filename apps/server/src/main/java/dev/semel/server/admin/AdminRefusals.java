package dev.semel.server.admin;

import dev.semel.admin.EditConflict;
import dev.semel.server.http.Names;
import dev.semel.server.http.Problem;
import dev.semel.server.stream.Failures;
import io.vertx.core.http.HttpServerRequest;

/** What a caller is told when a call did not come back with an answer. */
final class AdminRefusals {
  static final Problem BUSY =
      Problem.of(
          503, "busy", "as many requests as this server takes are under way: try again later");

  private AdminRefusals() {}

  static void send(HttpServerRequest request, Throwable failure) {
    send(request, problem(failure));
  }

  static void send(HttpServerRequest request, Problem problem) {
    if (problem.status() == 503) {
      request.response().putHeader(Names.RETRY_AFTER, "1");
    }
    problem.send(request);
  }

  private static Problem problem(Throwable failure) {
    return switch (failure) {
      case NotFound e -> Problem.notFound(String.valueOf(e.getMessage()));
      case EditConflict e -> Problem.of(409, "conflict", String.valueOf(e.getMessage()));
      default -> Failures.problem(failure);
    };
  }
}
