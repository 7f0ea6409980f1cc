package dev.semel.endtoend;

import static org.awaitility.Awaitility.await;

import dev.semel.proof.fault.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** Relays and consumers in processes of their own, run as a platform does. */
final class ShopProcesses implements AutoCloseable {
  /** Longer than any pause of a machine: something hangs. */
  private static final Duration STUCK = Duration.ofMinutes(10);

  private final Shop shop;
  private final Orders orders;
  private final List<ChildJvm> children = new ArrayList<>();

  private ShopProcesses(Shop shop, Orders orders) {
    this.shop = shop;
    this.orders = orders;
  }

  /**
   * Starts them.
   *
   * @param count how many relays, and as many consumers
   */
  static ShopProcesses start(
      Route route, String database, int count, Path folder, Shop shop, Orders orders) {
    ShopProcesses all = new ShopProcesses(shop, orders);
    for (int i = 0; i < count; i++) {
      for (String role : List.of(ShopProcess.RELAY, ShopProcess.CONSUMER)) {
        Path log = folder.resolve(role + i + ".log");
        all.children.add(ShopProcess.start(route, database, role, log));
      }
    }
    return all;
  }

  List<ChildJvm> all() {
    return children;
  }

  /**
   * Waits for as long as orders take effect. A process that ended by itself is started again, such
   * as one for which its broker was too slow at the start.
   */
  void awaitThat(BooleanSupplier condition) {
    Advance advance = new Advance();
    await()
        .forever()
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              orders.check();
              children.stream().filter(child -> !child.alive()).forEach(ChildJvm::restart);
              if (condition.getAsBoolean()) {
                return true;
              }
              advance.check();
              return false;
            });
  }

  /** Whether anything goes on. */
  private final class Advance {
    private long effects = -1;
    private long since = System.nanoTime();

    private void check() {
      long now = shop.count("effects");
      if (now != effects) {
        effects = now;
        since = System.nanoTime();
      } else if (System.nanoTime() - since > STUCK.toNanos()) {
        throw new AssertionError(
            "no order took effect for %s: %,d did, and the outbox has %,d%n%s"
                .formatted(
                    STUCK,
                    now,
                    shop.count("semel_outbox"),
                    children.stream().map(ChildJvm::state).collect(Collectors.joining("\n"))));
      }
    }
  }

  /** Tells all of them to terminate, and waits for it. */
  void stop() {
    children.forEach(ChildJvm::stop);
  }

  @Override
  public void close() {
    children.forEach(ChildJvm::close);
  }
}
