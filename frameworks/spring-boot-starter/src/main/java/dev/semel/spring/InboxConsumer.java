package dev.semel.spring;

import dev.semel.transport.Transport;

/**
 * Hears what is sent to a destination; a bean of this type is subscribed when the application
 * starts. Processes that use the same name share its messages.
 *
 * @param name up to 64 letters, digits, hyphens and underscores, and no other consumer's
 */
public record InboxConsumer(String name, String destination, InboxHandler handler) {
  public InboxConsumer {
    Transport.requireConsumer(name);
  }
}
