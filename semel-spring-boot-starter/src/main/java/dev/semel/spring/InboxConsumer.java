package dev.semel.spring;

import dev.semel.Operation;

/**
 * Hears what is sent to a destination; a bean of this type is subscribed when the application
 * starts. Processes that use the same name share its messages.
 *
 * @param name letters, digits, hyphens and underscores
 */
public record InboxConsumer(String name, String destination, InboxHandler handler) {
  public InboxConsumer {
    name = new Operation(name).name();
  }
}
