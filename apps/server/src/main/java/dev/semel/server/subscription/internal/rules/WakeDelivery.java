package dev.semel.server.subscription.internal.rules;

import dev.semel.stream.StreamPath;

/** How a worker learns that there is something to do. */
public sealed interface WakeDelivery {
  /** By a request to this address. */
  record Webhook(String url) implements WakeDelivery {}

  /** By an event on this stream; workers then race for the claim. */
  record PullWake(StreamPath stream) implements WakeDelivery {}
}
