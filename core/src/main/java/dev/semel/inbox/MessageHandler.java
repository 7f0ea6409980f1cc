package dev.semel.inbox;

import dev.semel.transport.Message;
import java.sql.Connection;

/**
 * Application code that handles a message, writing through the given connection. Its writes commit
 * together with the message's id, so it must not commit, roll back or close. It may run more than
 * once, each time after its writes were rolled back; effects elsewhere are not undone.
 *
 * <p>It throws {@link MessageRejected} if trying again is of no use.
 */
@FunctionalInterface
public interface MessageHandler {
  void handle(Connection connection, Message message) throws Exception;
}
