package dev.semel.benchmarks.messages;

import dev.semel.transport.Message;
import dev.semel.transport.Transport;
import java.util.List;

/** A broker with our transport to it, and the same client without ours. */
public interface RacedBroker extends AutoCloseable {
  String name();

  Transport transport();

  /** One that nobody used before, and that takes messages. */
  String freshDestination() throws Exception;

  /**
   * Publishes with the client alone, with the same settings as ours.
   *
   * @param batch so many are sent, and then all of their confirmations awaited
   */
  void publishBare(List<Message> messages, int batch) throws Exception;

  /**
   * Receives so many with the client alone, and acknowledges each batch after it was taken; where
   * the broker is a log, the positions are in the database and nothing is acknowledged.
   */
  void consumeBare(String destination, int count, int batch, Taker taker) throws Exception;

  @Override
  void close();

  /** Lets a batch of the bare client take effect. */
  @FunctionalInterface
  interface Taker {
    void take(List<String> ids) throws Exception;
  }
}
