package dev.semel.benchmarks.messages;

import dev.semel.transport.Message;
import dev.semel.transport.Transport;
import java.util.List;

/** A broker with our transport, and with its bare client. */
public interface RacedBroker extends AutoCloseable {
  String name();

  Transport transport();

  /** A new destination that accepts messages. */
  String freshDestination() throws Exception;

  /**
   * Publishes with the bare client and our transport's settings.
   *
   * @param batch how many messages are sent before their confirmations are awaited
   */
  void publishBare(List<Message> messages, int batch) throws Exception;

  /**
   * Receives this many messages with the bare client, and acknowledges each batch after it was
   * taken. Where the broker is a log, the positions are in the database and nothing is
   * acknowledged.
   */
  void consumeBare(String destination, int count, int batch, Taker taker) throws Exception;

  @Override
  void close();

  /** Handles a batch of the bare client. */
  @FunctionalInterface
  interface Taker {
    void take(List<String> ids) throws Exception;
  }
}
