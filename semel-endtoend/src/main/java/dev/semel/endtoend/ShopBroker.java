package dev.semel.endtoend;

import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Subscription;
import dev.semel.transport.Transport;

/** How a process of the test comes to its broker. Made anew in each process. */
public interface ShopBroker {
  /** Creates what the destinations need there, if it is missing. */
  Transport connect(String address, Shop shop);

  /** With positions in the shop's database, for those who keep them there. */
  default Subscription subscribe(Transport transport, Shop shop, SubscribeSettings settings) {
    return transport.subscribe(Shop.DESTINATION, Shop.CONSUMER, settings);
  }
}
