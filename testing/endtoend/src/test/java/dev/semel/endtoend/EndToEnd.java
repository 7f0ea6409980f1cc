package dev.semel.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.junit.proof.ProofRun;
import dev.semel.proof.fault.ChildJvm;
import dev.semel.proof.history.MessageChecker;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * From a transaction to an effect, with relays and consumers in processes of their own that are
 * killed and stopped, and a broker that is restarted: every effect once, those of a key in order.
 */
@ExtendWith(SharedServices.class)
abstract class EndToEnd {
  /** Others take over soon. */
  private static final Duration LEASE = Duration.ofSeconds(2);

  /** Between two orders of a writer whose orders come for as long as they are wanted. */
  private static final Duration PACE = Duration.ofMillis(10);

  /** So many effects take place between two restarts. */
  private static final int MORE = 100;

  private final ShopBroker broker;

  @TempDir protected Path folder;

  @SuppressWarnings("NullAway.Init")
  private TestReporter reporter;

  EndToEnd(ShopBroker broker) {
    this.broker = broker;
  }

  /** A broker that no other test uses, because it is killed. */
  protected abstract BrokerService startBroker();

  @BeforeEach
  void reportTo(TestReporter given) {
    reporter = given;
  }

  @Test
  @Tag("proof")
  void everyOrderOfAFewTakesEffectOnce(PostgresService postgres) {
    run(postgres.freshDatabase().jdbcUrl(), 200, 2, 3, 17);
  }

  @Test
  @Tag("proof")
  void everyOrderOfManyTakesEffectOnce(PostgresService postgres) {
    run(
        postgres.freshDatabase().jdbcUrl(),
        ProofRun.volume(20_000, 200_000),
        3,
        ProofRun.volume(40, 400),
        ProofRun.seed());
  }

  @Test
  @Tag("proof")
  void everyOrderTakesEffectOnceWhileProcessesAreRestartedInTurn(PostgresService postgres) {
    roll(postgres, 5);
  }

  /** More than a few, and still soon over. */
  protected final void runSome(PostgresService postgres) {
    run(postgres.freshDatabase().jdbcUrl(), 2000, 2, 10, 17);
  }

  private Route route(BrokerService service, Duration lease) {
    return new Route(broker, service.address(), Shop.DESTINATION, lease);
  }

  /**
   * Two relays and two consumers are told to terminate and started again in turn, while orders
   * come.
   */
  protected final void roll(PostgresService postgres, int rounds) {
    String database = postgres.freshDatabase().jdbcUrl();
    try (BrokerService service = startBroker();
        Shop shop = Shop.open(database);
        Orders orders = new Orders(shop, Shop.DESTINATION)) {
      shop.create();
      Route route = route(service, broker.longLease());
      route.connect().close(); // so that the destinations are there
      try (ShopProcesses processes = ShopProcesses.start(route, database, 2, folder, shop, orders);
          Progress progress = Progress.of(shop)) {
        orders.writeBeside(PACE, n -> true);
        for (int round = 0; round < rounds; round++) {
          for (ChildJvm child : processes.all()) {
            awaitMore(processes, progress);
            child.stop();
            child.restart();
          }
        }
        awaitMore(processes, progress);
        orders.stop();
        finish(route, shop, orders, processes);
        report("rounds", rounds);
        report("restarts", (long) rounds * processes.all().size());
        report("longest-pause-millis", progress.longestPause().toMillis());
        report("most-waiting", progress.mostWaiting());
      }
      judge(shop, orders, "restarted in turn");
    }
  }

  private static void awaitMore(ShopProcesses processes, Progress progress) {
    long wanted = progress.effects() + MORE;
    processes.awaitThat(() -> progress.effects() >= wanted);
  }

  /**
   * Runs it.
   *
   * @param count how many relays, and as many consumers: at least two, since they take over from
   *     each other
   * @param troubles how often something happens to a process; half way it is the broker
   */
  protected final void run(String database, int wanted, int count, int troubles, long seed) {
    report("seed", seed);
    try (BrokerService service = startBroker();
        Shop shop = Shop.open(database);
        Orders orders = new Orders(shop, Shop.DESTINATION)) {
      shop.create();
      Route route = route(service, LEASE);
      route.connect().close(); // so that the destinations are there
      try (ShopProcesses processes =
          ShopProcesses.start(route, database, count, folder, shop, orders)) {
        orders.writeBeside(Duration.ZERO, n -> n < wanted);
        Random random = new Random(seed);
        int kills = 0;
        for (int i = 0; i < troubles; i++) {
          long mark = (long) wanted * i / troubles;
          processes.awaitThat(() -> shop.count("effects") >= mark);
          ChildJvm victim = processes.all().get(random.nextInt(processes.all().size()));
          if (i == troubles / 2) {
            service.crash();
          } else if (i % 3 == 2) {
            pause(victim, shop, orders, processes);
            continue;
          } else {
            victim.restart();
          }
          kills++;
        }
        finish(route, shop, orders, processes);
        report("kills", kills);
        report("pauses", troubles - kills);
      }
      assertThat(orders.committed()).as("orders").hasSizeGreaterThanOrEqualTo(wanted);
      judge(shop, orders, "seed " + seed);
    }
  }

  /** Until others have gone on with all that it holds; then it goes on too. */
  private static void pause(ChildJvm victim, Shop shop, Orders orders, ShopProcesses processes) {
    victim.pause();
    try {
      List<String> everywhere = orders.probe();
      // One that stands still in the midst of its transaction holds its messages up until it goes
      // on.
      long end = System.nanoTime() + LEASE.multipliedBy(10).toNanos();
      processes.awaitThat(() -> shop.tookEffect(everywhere) || System.nanoTime() > end);
    } finally {
      victim.resume();
    }
  }

  /** Everything has arrived, and nothing can come again. */
  private static void finish(Route route, Shop shop, Orders orders, ShopProcesses processes) {
    orders.join();
    long committed = orders.committed().size();
    processes.awaitThat(
        () -> shop.count("effects") >= committed && shop.count("semel_outbox") == 0);
    processes.stop();
    LastConsumer.drain(route, shop, orders);
  }

  private void judge(Shop shop, Orders orders, String what) {
    List<MessageChecker.Message> committed = orders.committed();
    List<String> effects = shop.effects();
    report("messages", committed.size());
    report("effects", effects.size());
    assertThat(MessageChecker.check(committed, effects)).as(what).isEmpty();
    assertThat(shop.count("orders")).as("orders of %s", what).isEqualTo(committed.size());
    assertThat(shop.count("semel_outbox_dead")).as("dead letters of %s", what).isZero();
  }

  private void report(String key, long value) {
    reporter.publishEntry(Map.of(key, Long.toString(value)));
  }
}
