package dev.semel.server.admin;

import dev.semel.admin.document.AdminAction;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.server.http.RequestTarget;
import java.util.Optional;

/** How an action is answered. */
record AdminRoute(AdminAction action, Answer answer) {
  /** What it does; see the two kinds. */
  sealed interface Answer permits Question, Flow {}

  /** Asks and answers; may block. */
  @FunctionalInterface
  non-sealed interface Question extends Answer {
    JsonObjectBuilder answer(AdminRequest asked);
  }

  /** Answers over time; runs on the connection's loop, and must not block. */
  @FunctionalInterface
  non-sealed interface Flow extends Answer {
    void begin(AdminRequest asked, AdminExchange exchange);
  }

  static AdminRoute of(AdminAction action, Question question) {
    return new AdminRoute(action, question);
  }

  static AdminRoute flow(AdminAction action, Flow flow) {
    return new AdminRoute(action, flow);
  }

  /** What stands in place of the braces, decoded; empty: this is another address. */
  Optional<String> match(RequestTarget target) {
    String pattern = action.path();
    String path = target.path().substring(AdminAction.ROOT.length());
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
    return Optional.of(
        target.decoded(AdminAction.ROOT.length() + before.length(), behind.length()));
  }
}
