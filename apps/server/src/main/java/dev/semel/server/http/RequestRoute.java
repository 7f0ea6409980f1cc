package dev.semel.server.http;

import io.vertx.core.http.HttpServerRequest;
import java.util.List;

/** Answers requests to one address, on their loops. */
@FunctionalInterface
public interface RequestRoute {
  /**
   * Answers now or later.
   *
   * @param named what stands in place of the address's braces, decoded
   * @throws dev.semel.InvalidInput what to tell the caller
   */
  void handle(HttpServerRequest request, RequestTarget target, List<String> named);

  /**
   * Answers by the route that the table has for it.
   *
   * @param nothing the answer where it has none
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
