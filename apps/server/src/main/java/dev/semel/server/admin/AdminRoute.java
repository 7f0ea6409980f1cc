package dev.semel.server.admin;

import dev.semel.admin.document.internal.AdminAction;
import dev.semel.json.JsonObjectBuilder;

/** An action and the code that answers it. */
record AdminRoute(AdminAction action, Answer answer) {
  /** Answers the action; see the two kinds. */
  sealed interface Answer permits Question, Flow {}

  /** Returns the answer; may block. */
  @FunctionalInterface
  non-sealed interface Question extends Answer {
    JsonObjectBuilder answer(AdminRequest asked);
  }

  /** Writes the answer over time; runs on the connection's event loop, and must not block. */
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
}
