package dev.semel.proof.simulation;

import dev.semel.transport.Message;
import dev.semel.transport.PublishResult;
import java.time.Duration;
import java.util.List;

/** A broker's calls, as processes see them. */
interface BrokerDesk {
  /** A message that was handed out. */
  record Handed(long number, Message message, long attempt) {}

  PublishResult publish(Message message);

  List<Handed> take(int limit);

  boolean acknowledge(long number);

  boolean retry(long number, Duration pause);
}
