package dev.semel.rabbitmq;

import dev.semel.InvalidInput;
import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import java.time.Duration;

/** Checks of settings and messages that queues and streams share. */
final class RabbitChecks {
  private static final Duration SHORTEST = Duration.ofMillis(100);

  private RabbitChecks() {}

  static void requirePublishTime(Duration time) {
    if (time.compareTo(SHORTEST) < 0) {
      throw new InvalidInput("the time to publish is too short: give it at least 100 ms");
    }
  }

  static void requireBytes(int bytes, int largest) {
    if (bytes < 1 || bytes > largest) {
      throw new InvalidInput("a payload's limit must be between 1 and %d bytes".formatted(largest));
    }
  }

  /** Fails for a message that the broker would never accept. */
  static void requireSendable(Message message, int maxBytes) {
    try {
      RabbitNames.requireDestination(message.destination());
    } catch (InvalidInput e) {
      throw new PublishFailed(Kind.REFUSED, String.valueOf(e.getMessage()), e);
    }
    if (message.payload().length > maxBytes) {
      throw new PublishFailed(
          Kind.REFUSED,
          "the message is %d bytes long and the limit (maxBytes) is %d: send less of it"
              .formatted(message.payload().length, maxBytes));
    }
  }
}
