package dev.semel.server.http;

import io.vertx.core.http.HttpServerRequest;
import java.util.List;

/** Answers requests to one address, on their event loops. */
@FunctionalInterface
public interface RequestRoute {
  /**
   * Answers now or later.
   *
   * @param named decoded values for the names in the address's braces
   * @throws dev.semel.InvalidInput with the message for the caller
   */
  void handle(HttpServerRequest request, RequestTarget target, List<String> named);

  /**
   * Answers by the route in the table.
   *
   * @param nothing the answer if there is no route
   */
  static void answer(
      RouteTable<RequestRoute> table,
      HttpServerRequest request,
      RequestTarget target,
      ProblemDocument nothing) {
    switch (table.find(request.method().name(), target.path())) {
      case RouteTable.Match.Found<RequestRoute> found ->
          found.route().handle(request, target, found.named());
      case RouteTable.Match.OtherMethod<?> other ->
          ProblemDocument.notAllowed(request, other.allowed());
      case RouteTable.Match.Nothing<?> none -> nothing.send(request);
    }
  }
}
