package dev.semel.nats;

import dev.semel.InvalidInput;
import io.nats.client.impl.Headers;

/**
 * What must be true of the stream for a message to be taken; else it fails with {@link
 * ExpectationFailed}. A message that is there already is a duplicate, whatever is expected.
 */
public sealed interface StreamExpectation {
  /** The last message of the stream has this sequence; 0: there is none. */
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

  /** The last message of the stream has this id. */
  static StreamExpectation lastMessageId(String id) {
    return new LastMessageId(id);
  }

  /** Of the stream. */
  record LastSequence(long sequence) implements StreamExpectation {
    public LastSequence {
      requireNotNegative(sequence);
    }
  }

  /** Of the partition. */
  record LastSubjectSequence(long sequence) implements StreamExpectation {
    public LastSubjectSequence {
      requireNotNegative(sequence);
    }
  }

  /** Of the stream. */
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

  /** Says it to the broker. */
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
