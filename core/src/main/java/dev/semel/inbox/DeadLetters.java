package dev.semel.inbox;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.internal.Ids;
import dev.semel.internal.PrintableText;
import dev.semel.transport.Message;
import dev.semel.transport.Transport;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;

/** Keeps messages that a {@link MessageConsumer} can't handle. */
@FunctionalInterface
public interface DeadLetters {
  /**
   * Headers of a dead letter: the reason, the consumer, the deliveries, and the original
   * destination.
   */
  String REASON = "semel-dead-reason";

  String CONSUMER = "semel-dead-consumer";
  String ATTEMPTS = "semel-dead-attempts";
  String ORIGIN = "semel-dead-origin";

  /** Longest reason in characters; the rest is cut. */
  int MAX_REASON = 1000;

  /**
   * Keeps a message, and returns when it is safely kept. The same message may come more than once.
   *
   * @throws StoreException the message could not be kept: it will be delivered again
   */
  void keep(String consumer, Message message, long attempts, String reason);

  /**
   * Sends dead letters unchanged to a destination, with the reason in their headers. Where there is
   * no room for more headers, the message's own headers are left out.
   */
  static DeadLetters to(Transport transport, String destination) {
    return (consumer, message, attempts, reason) -> {
      String id = Ids.named("dead letter of " + consumer + ": " + message.id()).toString();
      Map<String, String> why = new LinkedHashMap<>();
      why.put(REASON, cut(reason));
      why.put(CONSUMER, consumer);
      why.put(ATTEMPTS, Long.toString(attempts));
      why.put(ORIGIN, message.destination());
      why.put(Message.CAUSATION_ID, message.id());
      try {
        Message letter = letter(message, id, destination, why);
        transport.publish(letter).toCompletableFuture().join();
      } catch (CompletionException e) {
        throw new StoreException("the dead letter could not be sent to " + destination, e);
      }
    };
  }

  private static Message letter(
      Message message, String id, String destination, Map<String, String> why) {
    Map<String, String> headers = new LinkedHashMap<>(message.headers());
    headers.putAll(why);
    try {
      return new Message(
          id, destination, message.orderingKey(), message.type(), message.payload(), headers);
    } catch (InvalidInput e) {
      return new Message(
          id, destination, message.orderingKey(), message.type(), message.payload(), why);
    }
  }

  /** Never cuts between the two halves of a character, because brokers refuse broken text. */
  private static String cut(String reason) {
    String safe = PrintableText.safe(reason);
    if (safe.length() <= MAX_REASON) {
      return safe;
    }
    int end = Character.isHighSurrogate(safe.charAt(MAX_REASON - 1)) ? MAX_REASON - 1 : MAX_REASON;
    return safe.substring(0, end) + "…";
  }
}
