package dev.semel.spring;

import dev.semel.transport.Message;

/**
 * What a message does, in the Spring transaction in which its id is recorded too. To say that
 * trying again is of no use it throws {@link dev.semel.inbox.MessageRejected}.
 */
@FunctionalInterface
public interface InboxHandler {
  void handle(Message message) throws Exception;
}
