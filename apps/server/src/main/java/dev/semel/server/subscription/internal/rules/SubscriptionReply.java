package dev.semel.server.subscription.internal.rules;

import dev.semel.json.JsonValue.JsonObject;

/** All answers that a caller can get. */
public sealed interface SubscriptionReply {
  /** The subscription as it is now. */
  record Described(boolean created, JsonObject subscription) implements SubscriptionReply {}

  record Nothing() implements SubscriptionReply {}

  record Granted(JsonObject claim) implements SubscriptionReply {}

  /**
   * The acknowledgement was accepted.
   *
   * @param nextWake whether there is more, and a new wake is on its way
   */
  record Taken(boolean nextWake) implements SubscriptionReply {}

  record Busy(String holder, long generation) implements SubscriptionReply {}

  record Refused(ProtocolCode code, String message) implements SubscriptionReply {}

  static SubscriptionReply missing() {
    return new Refused(
        ProtocolCode.SUBSCRIPTION_NOT_FOUND, "there is no such subscription: create it with PUT");
  }

  static SubscriptionReply invalid(String message) {
    return new Refused(ProtocolCode.INVALID_REQUEST, message);
  }
}
