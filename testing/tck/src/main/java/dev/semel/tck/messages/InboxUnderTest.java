package dev.semel.tck.messages;

import dev.semel.inbox.spi.ConsumerInbox;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.transport.Message;
import dev.semel.transport.spi.ConsumerPositions;
import java.time.Duration;
import java.util.List;

/** An inbox under test, a table for effects beside it, and control of its clock. */
public interface InboxUnderTest {
  /** Writes an effect in the message's transaction. */
  @FunctionalInterface
  interface Effects {
    void write(String what) throws Exception;
  }

  /** A test's handler. */
  @FunctionalInterface
  interface Handling {
    void handle(Effects effects, Message message) throws Exception;
  }

  /** A worker of stored messages, one turn at a time. */
  @FunctionalInterface
  interface Worker {
    /**
     * Runs one turn.
     *
     * @return how many messages it took
     */
    int runOnce(int limit);
  }

  /** How a test's worker treats failures. */
  record Patience(int maxAttempts, Duration pause, Duration lease) {}

  ConsumerInbox consumerInbox(String consumer, Handling handling);

  /** An inbox for outside effects; a crash leaves them in doubt, or otherwise loses them. */
  ConsumerInbox outside(String consumer, Handling handling, boolean inDoubt);

  ConsumerInbox storing(String consumer);

  Worker worker(String consumer, Handling handling, Patience patience);

  InboxOperations operations();

  ConsumerPositions positions();

  /** The committed effects with this prefix, in order. */
  List<String> effects(String prefix);

  /** Returns once the inbox's clock has advanced by at least this. */
  void elapse(Duration d);
}
