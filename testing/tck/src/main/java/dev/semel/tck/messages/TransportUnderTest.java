package dev.semel.tck.messages;

import dev.semel.internal.Ids;
import dev.semel.transport.Transport;
import java.time.Duration;
import java.util.Optional;

/**
 * A transport under test, and control of its broker. All tests of a class may share it, because
 * each uses different destinations.
 */
public interface TransportUnderTest {
  Transport transport();

  /** A new destination that the broker accepts messages for. */
  default String freshDestination() {
    return "contract." + Ids.uuid7();
  }

  /** A destination that the broker refuses messages for; empty: it accepts any. */
  Optional<String> unknownDestination();

  /** Whether the broker drops duplicates by message id. */
  default boolean dropsDuplicates() {
    return true;
  }

  /** The length of a payload that the broker refuses. */
  int tooManyBytes();

  /** A short time to acknowledge, which ends during a test. */
  default Duration ackWithin() {
    return Duration.ofMillis(700);
  }

  /**
   * Whether messages in flight to a reader that closes go to another at once; otherwise they do
   * when their time to acknowledge is over.
   */
  default boolean givesBackAtOnce() {
    return true;
  }

  /** A broker that a test may stop and start again, with a separate transport. */
  interface Stoppable extends AutoCloseable {
    TransportUnderTest underTest();

    /** Stops it like a crash. */
    void stop();

    void start();

    /** After this long without an answer a publish has failed. */
    Duration publishLimit();

    @Override
    void close();

    /** A broker that only has to be killed, and started again with its files. */
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

  /** Starts a separate broker, which the test closes; empty: the broker can't be stopped. */
  default Optional<Stoppable> stoppable() {
    return Optional.empty();
  }
}
