package dev.semel.nats;

import dev.semel.InvalidInput;
import io.nats.client.impl.Headers;

/**
 * A condition on the stream under which the broker accepts a message; otherwise the publish fails
 * with {@link ExpectationFailed}. A message that is already stored is a duplicate, whatever the
 * condition.
 */
public sealed interface StreamExpectation {
  /** The stream's last message has this sequence; 0: the stream is empty. */
  static StreamExpectation lastSequence(long sequence) {
    return new LastSequence(sequence);
  }

  /**
   * The last message on the message's own subject, which is its destination's partition, has this
   * sequence of the stream; 0: there is none. Keys that share a partition share its sequence.
   */
  static StreamExpectation lastSubjectSequence(long sequence) {
    return new LastSubjectSequence(sequence);
  }

  /** The stream's last message has this id. */
  static StreamExpectation lastMessageId(String id) {
    return new LastMessageId(id);
  }

  /** A condition on the stream. */
  record LastSequence(long sequence) implements StreamExpectation {
    public LastSequence {
      requireNotNegative(sequence);
    }
  }

  /** A condition on the partition. */
  record LastSubjectSequence(long sequence) implements StreamExpectation {
    public LastSubjectSequence {
      requireNotNegative(sequence);
    }
  }

  /** A condition on the stream. */
  record LastMessageId(String id) implements StreamExpectation {
    public LastMessageId {
      if (id.isEmpty()) {
        throw new InvalidInput("the expected message's id is empty: give one");
      }
    }
  }

  private static void requireNotNegative(long sequence) {
    if (sequence < 0) {
      throw new InvalidInput("an expected sequence can't be negative: 0 is before the first");
    }
  }

  /** Sets the condition in the headers for the broker. */
  static void apply(StreamExpectation expect, Headers headers) {
    switch (expect) {
      case LastSequence last ->
          headers.put("Nats-Expected-Last-Sequence", Long.toString(last.sequence()));
      case LastSubjectSequence last ->
          headers.put(NatsMessages.EXPECTED_LAST, Long.toString(last.sequence()));
      case LastMessageId last ->
          headers.put("Nats-Expected-Last-Msg-Id", NatsMessages.encode(last.id()));
    }
  }
}
