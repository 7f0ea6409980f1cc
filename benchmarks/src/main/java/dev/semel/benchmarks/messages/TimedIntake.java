package dev.semel.benchmarks.messages;

import dev.semel.inbox.Handled;
import dev.semel.inbox.Intake;
import dev.semel.transport.Message;
import dev.semel.transport.Place;
import java.util.List;

/** An inbox, and how long its consumer waited for it. */
record TimedIntake(Intake intake, Shares shares) implements Intake {
  private static final String WHAT = "the transaction with its handlers";

  @Override
  public List<Handled> take(List<Message> messages) {
    return shares.of(WHAT, () -> intake.take(messages));
  }

  @Override
  public List<Handled> take(List<Message> messages, List<Place> places) {
    return shares.of(WHAT, () -> intake.take(messages, places));
  }
}
