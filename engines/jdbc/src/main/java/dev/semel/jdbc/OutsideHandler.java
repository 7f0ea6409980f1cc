package dev.semel.jdbc;

import dev.semel.transport.Message;

/**
 * A handler whose effect is outside the database, such as an e-mail or a payment. It should pass
 * the message's id to any service that can detect duplicates by it.
 */
@FunctionalInterface
public interface OutsideHandler {
  void handle(Message message) throws Exception;
}
