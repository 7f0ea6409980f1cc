package dev.semel.endtoend;

import dev.semel.inbox.ConsumerSettings;
import dev.semel.inbox.DeadLetters;
import dev.semel.inbox.MessageConsumer;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelaySettings;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Transport;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;

/**
 * The broker between the outbox and the inbox, and how relays and consumers use it.
 *
 * @param destination of the orders; tests that share a broker have one each
 * @param lease of relays and consumers, here and at the broker
 */
record Route(ShopBroker broker, String address, String destination, Duration lease) {
  private static final Duration SHORTEST_ANSWER = Duration.ofSeconds(3);

  /** How long the broker may take to answer: well below a long lease. */
  Duration answerWithin() {
    Duration part = lease.dividedBy(30);
    return part.compareTo(SHORTEST_ANSWER) < 0 ? SHORTEST_ANSWER : part;
  }

  String deadLetters() {
    return destination + "-dead";
  }

  Transport connect() {
    return broker.connect(this);
  }

  Relay relay(OutboxStore outbox, Transport transport) {
    RelaySettings settings =
        RelaySettings.defaults()
            .withLease(lease)
            .withRetries(1000, Duration.ofMillis(50), Duration.ofSeconds(1));
    return Relay.start(outbox, transport, settings);
  }

  Subscription subscribe(Shop shop, Transport transport) {
    SubscribeSettings settings = SubscribeSettings.defaults().withAckWithin(lease);
    return transport.subscribe(destination, Shop.CONSUMER, settings, shop.inbox().positions());
  }

  MessageConsumer consumer(Shop shop, Transport transport, Subscription subscription) {
    return MessageConsumer.start(
        Shop.CONSUMER,
        subscription,
        shop.inbox()
            .consumerInbox(
                Shop.CONSUMER,
                (connection, message) ->
                    Shop.insert(connection, "INSERT INTO effects (id) VALUES (?)", message.id())),
        DeadLetters.to(transport, deadLetters()),
        ConsumerSettings.defaults()
            .withRetries(1000, Duration.ofMillis(50), Duration.ofSeconds(1))
            .withExtendEvery(lease.dividedBy(3)));
  }
}
