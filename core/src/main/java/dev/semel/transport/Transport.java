package dev.semel.transport;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import dev.semel.transport.spi.ConsumerPositions;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The connection to one message broker: publishes for a relay, subscribes for consumers. Safe for
 * use by many threads.
 */
public interface Transport extends AutoCloseable {
  /** Longest consumer name: brokers' own names are made of it, and some allow no more. */
  int MAX_CONSUMER_LENGTH = 64;

  /** The broker's address, for people: without a password. */
  String describe();

  /** The kind of broker, as traces name it ({@code messaging.system}), such as {@code kafka}. */
  default String system() {
    return "semel";
  }

  /**
   * Sends a message once, and returns before the answer arrives. The stage completes only when the
   * broker has stored the message as safely as it is configured to.
   *
   * @return completes in good time, also without an answer; fails only with {@link PublishFailed}
   */
  CompletionStage<PublishResult> publish(Message message);

  /**
   * Sends these messages, in this order, as {@link #publish} does.
   *
   * @return one stage for each, in the same order
   */
  default List<CompletionStage<PublishResult>> publishAll(List<Message> messages) {
    List<CompletionStage<PublishResult>> answers = new ArrayList<>();
    messages.forEach(message -> answers.add(publish(message)));
    return answers;
  }

  /**
   * Whether the broker stores the messages of one {@link #publishAll} call as a whole or not at
   * all, in order, except for those that it refuses for good, which fail alone. Then messages with
   * the same ordering key may be in one call, and the next call waits for all answers.
   */
  default boolean allOrNone() {
    return false;
  }

  /**
   * Whether messages with the same ordering key, sent one right after the other, arrive in order
   * even if the first of them failed and must be sent again. If not, each is sent only after the
   * one before it was confirmed.
   */
  boolean keepsOrder();

  /**
   * Receives the messages of a destination. Subscriptions with the same consumer name share its
   * messages; each name gets all of them.
   *
   * @param consumer up to 64 letters, digits, hyphens and underscores: what every broker allows
   */
  Subscription subscribe(String destination, String consumer, SubscribeSettings settings);

  /**
   * Receives with positions in the consumer's database, for brokers that are logs and remember no
   * acknowledgements: positions move in the transaction of the effects. Other brokers ignore them.
   */
  default Subscription subscribe(
      String destination,
      String consumer,
      SubscribeSettings settings,
      ConsumerPositions positions) {
    return subscribe(destination, consumer, settings);
  }

  /**
   * Checks a consumer's name; for authors of transports, so that a name is valid in all of them or
   * in none.
   *
   * @throws InvalidInput the name is not valid
   */
  static void requireConsumer(String name) {
    if (!name.matches("[A-Za-z0-9_-]{1," + MAX_CONSUMER_LENGTH + "}")) {
      throw new InvalidInput(
          "the consumer's name %s can't be used: take up to %d letters, digits, hyphens and underscores"
              .formatted(PrintableText.quoted(name), MAX_CONSUMER_LENGTH));
    }
  }

  /**
   * Settings of the broker that break the guarantee; a sentence each, with what to do.
   *
   * @param retrySpan how long after the first try a message may be sent again
   */
  List<String> hazards(Duration retrySpan);

  /**
   * The broker's version and set-up, for people: a sentence each, good or bad; empty where nothing
   * is known.
   */
  default List<String> setUp() {
    return List.of();
  }

  /** Messages without an answer fail. */
  @Override
  void close();
}
