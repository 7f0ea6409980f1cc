package dev.semel.inbox;

import dev.semel.transport.Message;
import java.sql.Connection;

/**
 * What a message does, done through the given connection. Its writes commit together with the
 * message's id, so it leaves committing, rolling back and closing to the caller. It may run more
 * than once, each time after its writes were rolled back: what it does elsewhere is not undone.
 *
 * <p>To say that trying again is of no use it throws {@link MessageRejected}.
 */
@FunctionalInterface
public interface MessageHandler {
  void handle(Connection connection, Message message) throws Exception;
}
