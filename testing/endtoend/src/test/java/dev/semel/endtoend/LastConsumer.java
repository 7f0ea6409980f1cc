package dev.semel.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.inbox.MessageConsumer;
import dev.semel.outbox.Relay;
import dev.semel.transport.Transport;
import java.util.List;

/** Takes what outbox and broker still have, after all others have ended. */
final class LastConsumer {
  private LastConsumer() {}

  /**
   * Returns when the outbox is empty and the broker has nothing to deliver any more, not even
   * again. An order in every partition shows that every partition is read to its end.
   *
   * @return how many came that had taken effect before
   */
  static long drain(Route route, Shop shop, Orders orders) {
    try (Transport transport = route.connect();
        Relay relay = route.relay(shop.outbox().store(), transport)) {
      ShopSubscription subscription = new ShopSubscription(route.subscribe(shop, transport));
      try (MessageConsumer consumer = route.consumer(shop, transport, subscription)) {
        List<String> last = orders.probe();
        await().until(() -> shop.tookEffect(last) && shop.count("semel_outbox") == 0);
        long before = subscription.idle();
        await().until(() -> subscription.idle() > before);
        await().until(() -> route.broker().unacknowledged(route) == 0);
        assertThat(relay.counts().dead() + consumer.counts().dead()).as("dead letters").isZero();
        return consumer.counts().duplicates();
      }
    }
  }
}
