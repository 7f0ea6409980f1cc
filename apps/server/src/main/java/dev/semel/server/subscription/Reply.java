package dev.semel.server.subscription;

import dev.semel.json.JsonValue.JsonObject;

/** All that a caller can be told. */
sealed interface Reply {
  /** What the subscription is now. */
  record Described(boolean created, JsonObject subscription) implements Reply {}

  record Nothing() implements Reply {}

  record Granted(JsonObject claim) implements Reply {}

  /**
   * The acknowledgement counts.
   *
   * @param nextWake there is more, and a new wake is on its way
   */
  record Taken(boolean nextWake) implements Reply {}

  record Busy(String holder, long generation) implements Reply {}

  record Refused(Code code, String message) implements Reply {}

  static Reply missing() {
    return new Refused(
        Code.SUBSCRIPTION_NOT_FOUND, "there is no such subscription: create it with PUT");
  }

  static Reply invalid(String message) {
    return new Refused(Code.INVALID_REQUEST, message);
  }
}
