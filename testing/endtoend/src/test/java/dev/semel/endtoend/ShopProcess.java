package dev.semel.endtoend;

import dev.semel.proof.fault.ChildJvm;
import dev.semel.transport.Transport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A relay or a consumer in a process of its own, until its input ends or it is told to stop. */
record ShopProcess(AutoCloseable worker, Transport transport, Shop shop) {
  static final String RELAY = "relay";
  static final String CONSUMER = "consumer";

  /** Starts a process, whatever the broker. */
  static ChildJvm start(Route route, String database, String role, Path log) {
    return ChildJvm.start(
        ShopProcess.class,
        log,
        role,
        database,
        route.broker().name(),
        route.address(),
        route.destination(),
        route.lease().toString());
  }

  public static void main(String[] arguments) throws Exception {
    Route route =
        new Route(
            ShopBroker.valueOf(arguments[2]),
            arguments[3],
            arguments[4],
            Duration.parse(arguments[5]));
    CompletableFuture<ShopProcess> started =
        CompletableFuture.supplyAsync(() -> open(route, arguments[1], arguments[0]));
    // A process that is told to stop while it starts finishes that first: what it has taken by
    // then it must hand over.
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform().unstarted(() -> started.thenAccept(ShopProcess::close).join()));
    started.join();
    while (System.in.read() >= 0) {}
    System.exit(0);
  }

  private static ShopProcess open(Route route, String database, String role) {
    Shop shop = Shop.open(database);
    Transport transport = route.connect();
    return new ShopProcess(
        role.equals(RELAY)
            ? route.relay(shop.outbox().store(), transport)
            : route.consumer(shop, transport, route.subscribe(shop, transport)),
        transport,
        shop);
  }

  private void close() {
    try {
      worker.close();
      transport.close();
      shop.close();
    } catch (Exception e) {
      throw new IllegalStateException("it did not stop as it should", e);
    }
  }
}
