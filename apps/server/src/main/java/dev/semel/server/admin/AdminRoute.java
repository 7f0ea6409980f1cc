package dev.semel.server.admin;

import java.util.List;

/**
 * One thing that can be asked.
 *
 * @param pattern behind {@link AdminApi#ROOT}; may hold one part in braces, which stands for any
 *     one segment
 * @param changes only for those who may change something
 */
record AdminRoute(
    String method,
    String pattern,
    boolean changes,
    String summary,
    List<RouteParameter> parameters,
    Action action) {
  /** What it does; see the two kinds. */
  sealed interface Action permits Question, Flow {}

  /** Asks and answers; may block. */
  @FunctionalInterface
  non-sealed interface Question extends Action {
    /** The answer's document, as text. */
    String answer(AdminRequest asked);
  }

  /** Answers over time; runs on the connection's loop, and must not block. */
  @FunctionalInterface
  non-sealed interface Flow extends Action {
    void begin(AdminRequest asked, AdminExchange exchange);
  }

  AdminRoute {
    parameters = List.copyOf(parameters);
  }

  static AdminRoute get(
      String pattern, String summary, List<RouteParameter> parameters, Question question) {
    return new AdminRoute("GET", pattern, false, summary, parameters, question);
  }

  static AdminRoute change(
      String method,
      String pattern,
      String summary,
      List<RouteParameter> parameters,
      Question question) {
    return new AdminRoute(method, pattern, true, summary, parameters, question);
  }

  boolean takesBody() {
    return method.equals("POST") || method.equals("PUT");
  }
}
