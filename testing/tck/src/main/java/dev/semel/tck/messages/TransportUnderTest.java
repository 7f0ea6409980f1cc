package dev.semel.tck.messages;

import dev.semel.internal.Ids;
import dev.semel.transport.Transport;
import java.time.Duration;
import java.util.Optional;

/**
 * A transport and a hand on its broker. It may be shared by all tests of a class: each draws
 * destinations of its own.
 */
public interface TransportUnderTest {
  Transport transport();

  /** One that nobody used before, and that the broker takes messages for. */
  default String freshDestination() {
    return "contract." + Ids.uuid7();
  }

  /** One that the broker knows it takes no messages for; empty: it takes them for any. */
  Optional<String> unknownDestination();

  /** Whether the broker itself drops a message that it has already, by its id. */
  default boolean dropsDuplicates() {
    return true;
  }

  /** A payload that is longer than the broker takes. */
  int tooManyBytes();

  /** A short time to acknowledge, which a test lets end. */
  default Duration ackWithin() {
    return Duration.ofMillis(700);
  }

  /**
   * Whether what is on its way to a reader that closes comes to another at once; else it does when
   * its time to be acknowledged is over.
   */
  default boolean givesBackAtOnce() {
    return true;
  }

  /** A broker that a test may stop and start again, and a transport of its own to it. */
  interface Stoppable extends AutoCloseable {
    TransportUnderTest underTest();

    /** As a crash would. */
    void stop();

    void start();

    /** After this time without an answer a message has failed. */
    Duration publishLimit();

    @Override
    void close();

    /** Of a broker that only has to be killed, and started again with its files. */
    static Stoppable of(
        TransportUnderTest underTest,
        Duration publishLimit,
        Runnable stop,
        Runnable start,
        Runnable close) {
      return new Stoppable() {
        @Override
        public TransportUnderTest underTest() {
          return underTest;
        }

        @Override
        public void stop() {
          stop.run();
        }

        @Override
        public void start() {
          start.run();
        }

        @Override
        public Duration publishLimit() {
          return publishLimit;
        }

        @Override
        public void close() {
          close.run();
        }
      };
    }
  }

  /** Starts a broker of its own, to be closed; empty: it can't be stopped. */
  default Optional<Stoppable> stoppable() {
    return Optional.empty();
  }
}
