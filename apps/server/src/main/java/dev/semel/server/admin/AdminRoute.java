package dev.semel.server.admin;

import dev.semel.admin.document.internal.AdminAction;
import dev.semel.json.JsonObjectBuilder;

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
}
