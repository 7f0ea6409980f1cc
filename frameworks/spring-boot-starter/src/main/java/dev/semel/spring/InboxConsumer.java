package dev.semel.spring;

import dev.semel.transport.Transport;

/**
 * Subscribes a handler to a destination. Declare one as a bean: the starter subscribes it when the
 * application starts. Processes that use the same consumer name share its messages.
 *
 * @param name up to 64 letters, digits, hyphens and underscores; unique among consumers
 */
public record InboxConsumer(String name, String destination, InboxHandler handler) {
  public InboxConsumer {
    Transport.requireConsumer(name);
  }
}
