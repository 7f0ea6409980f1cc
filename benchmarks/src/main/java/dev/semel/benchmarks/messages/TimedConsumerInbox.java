package dev.semel.benchmarks.messages;

import dev.semel.inbox.HandleResult;
import dev.semel.inbox.spi.ConsumerInbox;
import dev.semel.transport.Message;
import dev.semel.transport.spi.LogPosition;
import java.util.List;

/** An inbox that measures how long its consumer waits for it. */
record TimedConsumerInbox(ConsumerInbox consumerInbox, Shares shares) implements ConsumerInbox {
  private static final String WHAT = "the transaction with its handlers";

  @Override
  public List<HandleResult> take(List<Message> messages) {
    return shares.of(WHAT, () -> consumerInbox.take(messages));
  }

  @Override
  public List<HandleResult> take(List<Message> messages, List<LogPosition> places) {
    return shares.of(WHAT, () -> consumerInbox.take(messages, places));
  }
}
