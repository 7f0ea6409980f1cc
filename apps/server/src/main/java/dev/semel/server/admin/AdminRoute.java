package dev.semel.server.admin;

import dev.semel.server.http.RequestTarget;
import java.util.List;
import java.util.Optional;

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

  /** What stands in place of the braces, decoded; empty: this is another address. */
  Optional<String> match(RequestTarget target) {
    String path = target.path().substring(AdminApi.ROOT.length());
    int open = pattern.indexOf('{');
    if (open < 0) {
      return path.equals(pattern) ? Optional.of("") : Optional.empty();
    }
    String before = pattern.substring(0, open);
    String behind = pattern.substring(pattern.indexOf('}') + 1);
    int end = path.length() - behind.length();
    if (!path.startsWith(before) || !path.endsWith(behind) || end <= before.length()) {
      return Optional.empty();
    }
    if (path.substring(before.length(), end).indexOf('/') >= 0) {
      return Optional.empty(); // a key that ends like another route must not be taken for it
    }
    return Optional.of(target.decoded(AdminApi.ROOT.length() + before.length(), behind.length()));
  }
}
