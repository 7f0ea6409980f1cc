package dev.semel.transport;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import dev.semel.transport.spi.ConsumerPositions;
import dev.semel.transport.spi.SubscribeSettings;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A way to a broker. Safe for many threads. */
public interface Transport extends AutoCloseable {
  /** Names of brokers' own things are made of it, and some take no more than that. */
  int MAX_CONSUMER_LENGTH = 64;

  /** Where it leads to, for people: without a password. */
  String describe();

  /** The kind of broker, as traces name it ({@code messaging.system}), such as {@code kafka}. */
  default String system() {
    return "semel";
  }

  /**
   * Sends once, and returns before the answer is there. It is confirmed only when the broker has
   * stored it as safely as it was told to.
   *
   * @return in good time, also when no answer came; fails with {@link PublishFailed}, nothing else
   */
  CompletionStage<PublishResult> publish(Message message);

  /**
   * Sends these, in this order, as {@link #publish} does.
   *
   * @return one for each, in the same order
   */
  default List<CompletionStage<PublishResult>> publishAll(List<Message> messages) {
    List<CompletionStage<PublishResult>> answers = new ArrayList<>();
    messages.forEach(message -> answers.add(publish(message)));
    return answers;
  }

  /**
   * Whether what is given to one call of {@link #publishAll} is stored as a whole or not at all, in
   * its order; but for those that are refused for good, which fail alone. Then messages with the
   * same ordering key may be in one call, and the next call waits for all of its answers.
   */
  default boolean allOrNone() {
    return false;
  }

  /**
   * Whether messages with the same ordering key that were sent one right after the other arrive in
   * order, also if the first of them failed and must be sent again. If not, each is sent only after
   * the one before it was confirmed.
   */
  boolean keepsOrder();

  /**
   * Receives what was sent to a destination. Those who use the same name share its messages; each
   * name gets all of them.
   *
   * @param consumer up to 64 letters, digits, hyphens and underscores: what every broker can carry
   */
  Subscription subscribe(String destination, String consumer, SubscribeSettings settings);

  /**
   * The same, with positions in the consumer's own database where the broker is a log that
   * remembers no acknowledgements: they move in the transaction of the effects. Other brokers need
   * none and leave them alone.
   */
  default Subscription subscribe(
      String destination,
      String consumer,
      SubscribeSettings settings,
      ConsumerPositions positions) {
    return subscribe(destination, consumer, settings);
  }

  /**
   * For those who write transports: one name is good or bad for all of them.
   *
   * @throws InvalidInput it can't be a consumer's
   */
  static void requireConsumer(String name) {
    if (!name.matches("[A-Za-z0-9_-]{1," + MAX_CONSUMER_LENGTH + "}")) {
      throw new InvalidInput(
          "the consumer's name %s can't be used: take up to %d letters, digits, hyphens and underscores"
              .formatted(PrintableText.quoted(name), MAX_CONSUMER_LENGTH));
    }
  }

  /**
   * What is set up in a way that costs the guarantee; a sentence each, with what to do.
   *
   * @param retrySpan how long after the first try a message may be sent again
   */
  List<String> hazards(Duration retrySpan);

  /**
   * What the broker says of its version and set-up, for people: a sentence each, well or not; empty
   * where nothing is known.
   */
  default List<String> setUp() {
    return List.of();
  }

  /** What is on its way fails. */
  @Override
  void close();
}
