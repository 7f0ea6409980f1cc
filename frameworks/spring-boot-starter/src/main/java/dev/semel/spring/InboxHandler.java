package dev.semel.spring;

import dev.semel.transport.Message;

/**
 * Handles a message in the Spring transaction that also records the message's id. Throw {@link
 * dev.semel.inbox.MessageRejected} when a retry can't succeed.
 */
@FunctionalInterface
public interface InboxHandler {
  void handle(Message message) throws Exception;
}
