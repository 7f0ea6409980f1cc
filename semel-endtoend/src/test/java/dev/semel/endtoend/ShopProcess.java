package dev.semel.endtoend;

import dev.semel.inbox.Consumer;
import dev.semel.inbox.ConsumerSettings;
import dev.semel.inbox.DeadLetters;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelaySettings;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Transport;
import java.time.Duration;

/** A relay or a consumer in a process of its own, until its input ends or it is told to stop. */
final class ShopProcess {
  /** Of relays and consumers. */
  public static final Duration LEASE = Duration.ofSeconds(2);

  private ShopProcess() {}

  /** For a {@code main}: takes a database, a broker's address, what to be, and its lease. */
  public static void run(ShopBroker broker, String[] arguments) throws Exception {
    Duration lease = Duration.parse(arguments[3]);
    Shop shop = Shop.open(arguments[0]);
    Transport transport = broker.connect(arguments[1], shop);
    AutoCloseable worker =
        arguments[2].equals("relay")
            ? relay(shop, transport, lease)
            : consumer(shop, transport, lease);
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().unstarted(() -> close(worker, transport, shop)));
    while (System.in.read() >= 0) {}
    System.exit(0);
  }

  private static void close(AutoCloseable worker, Transport transport, Shop shop) {
    try {
      worker.close();
      transport.close();
      shop.close();
    } catch (Exception e) {
      throw new IllegalStateException("it did not stop as it should", e);
    }
  }

  private static Relay relay(Shop shop, Transport transport, Duration lease) {
    RelaySettings settings =
        RelaySettings.defaults()
            .withLease(lease)
            .withRetries(1000, Duration.ofMillis(50), Duration.ofSeconds(1));
    return Relay.start(shop.outbox().store(), transport, settings);
  }

  private static Consumer consumer(Shop shop, Transport transport, Duration lease) {
    SubscribeSettings settings = SubscribeSettings.defaults().withAckWithin(lease);
    return Consumer.start(
        Shop.CONSUMER,
        transport.subscribe(Shop.DESTINATION, Shop.CONSUMER, settings, shop.inbox().positions()),
        shop.inbox()
            .intake(
                Shop.CONSUMER,
                (connection, message) ->
                    Shop.insert(connection, "INSERT INTO effects (id) VALUES (?)", message.id())),
        DeadLetters.to(transport, Shop.DEAD),
        ConsumerSettings.defaults()
            .withRetries(1000, Duration.ofMillis(50), Duration.ofSeconds(1))
            .withExtendEvery(lease.dividedBy(3)));
  }
}
