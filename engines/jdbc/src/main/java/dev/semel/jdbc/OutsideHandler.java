package dev.semel.jdbc;

import dev.semel.transport.Message;

/**
 * What a message does outside the database: an e-mail, a payment. It should hand the message's id
 * on to whoever can tell repeats apart by it.
 */
@FunctionalInterface
public interface OutsideHandler {
  void handle(Message message) throws Exception;
}
