package dev.semel.nats;

import dev.semel.inbox.Consumer;
import dev.semel.inbox.ConsumerSettings;
import dev.semel.inbox.DeadLetters;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelaySettings;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Transport;
import java.time.Duration;

/** A relay or a consumer in a process of its own, until its input ends. */
final class ShopProcess {
  static final Duration LEASE = Duration.ofSeconds(2);

  private ShopProcess() {}

  static JetStreamTransport transport(String nats) {
    return JetStreamTransport.connect(
        JetStreamSettings.of(nats, StreamSettings.of("SHOP", Shop.DESTINATION, "dead"))
            .withPublishTimeout(Duration.ofSeconds(2)));
  }

  /** Takes a database, a broker, and what to be. */
  public static void main(String[] arguments) throws Exception {
    try (Shop shop = Shop.open(arguments[0]);
        Transport transport = transport(arguments[1])) {
      AutoCloseable worker =
          arguments[2].equals("relay") ? relay(shop, transport) : consumer(shop, transport);
      while (System.in.read() >= 0) {}
      worker.close();
    }
  }

  private static Relay relay(Shop shop, Transport transport) {
    RelaySettings settings =
        RelaySettings.defaults()
            .withLease(LEASE)
            .withRetries(1000, Duration.ofMillis(50), Duration.ofSeconds(1));
    return Relay.start(shop.outbox().store(), transport, settings);
  }

  private static Consumer consumer(Shop shop, Transport transport) {
    SubscribeSettings settings = SubscribeSettings.defaults().withAckWithin(LEASE);
    return Consumer.start(
        Shop.CONSUMER,
        transport.subscribe(Shop.DESTINATION, Shop.CONSUMER, settings),
        shop.inbox()
            .intake(
                Shop.CONSUMER,
                (connection, message) ->
                    Shop.insert(connection, "INSERT INTO effects (id) VALUES (?)", message.id())),
        DeadLetters.to(transport, "dead"),
        ConsumerSettings.defaults()
            .withRetries(1000, Duration.ofMillis(50), Duration.ofSeconds(1))
            .withExtendEvery(LEASE.dividedBy(3)));
  }
}
