package dev.semel.endtoend;

import dev.semel.transport.Transport;

/** How a process of the test comes to its broker. Made anew in each process. */
@FunctionalInterface
interface ShopBroker {
  /** Creates what the destinations need there, if it is missing. */
  Transport connect(String address, Shop shop);
}
