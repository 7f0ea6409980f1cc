package dev.semel.tck.messages;

import dev.semel.inbox.spi.ConsumerInbox;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.transport.Message;
import dev.semel.transport.spi.ConsumerPositions;
import java.time.Duration;
import java.util.List;

/** An inbox, a table for effects beside it, and a hand on its clock. */
public interface InboxUnderTest {
  /** Writes an effect in the transaction of the message. */
  @FunctionalInterface
  interface Effects {
    void write(String what) throws Exception;
  }

  /** What a test's message does. */
  @FunctionalInterface
  interface Handling {
    void handle(Effects effects, Message message) throws Exception;
  }

  /** One turn of a worker that handles stored messages. */
  @FunctionalInterface
  interface Worker {
    /** How many it took. */
    int runOnce(int limit);
  }

  /** How a test's worker deals with failures. */
  record Patience(int maxAttempts, Duration pause, Duration lease) {}

  ConsumerInbox consumerInbox(String consumer, Handling handling);

  /** With effects outside, for which a crash means doubt, or else a loss. */
  ConsumerInbox outside(String consumer, Handling handling, boolean inDoubt);

  ConsumerInbox storing(String consumer);

  Worker worker(String consumer, Handling handling, Patience patience);

  InboxOperations operations();

  ConsumerPositions positions();

  /** What was committed, in order, as far as it begins with this. */
  List<String> effects(String prefix);

  /** Returns once the clock that the inbox decides by has moved on by at least this. */
  void elapse(Duration d);
}
