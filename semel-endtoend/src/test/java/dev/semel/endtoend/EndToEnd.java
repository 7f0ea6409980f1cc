package dev.semel.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.junit.proof.ProofRun;
import dev.semel.tck.ChildJvm;
import dev.semel.tck.history.MessageChecker;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.Services;
import dev.semel.transport.Message;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionTimeoutException;
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
@ExtendWith(Services.class)
abstract class EndToEnd {
  private static final int WRITERS = 4;
  private static final int KEYS_EACH = 5;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Between two orders of a writer whose orders come for as long as they are wanted. */
  private static final Duration PACE = Duration.ofMillis(10);

  /** So many effects take place between two restarts. */
  private static final int MORE = 100;

  @TempDir protected Path folder;

  private TestReporter report;

  @BeforeEach
  void reportTo(TestReporter report) {
    this.report = report;
  }

  /** One of its own, that may be killed. */
  protected abstract BrokerService startBroker();

  protected abstract ShopBroker broker();

  /** Its {@code main} calls {@link ShopProcess#run}. */
  protected abstract Class<?> process();

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

  /** Few enough to wait for. */
  protected final void runFew(PostgresService postgres) {
    run(postgres.freshDatabase().jdbcUrl(), 2000, 2, 10, 17);
  }

  /** Nobody takes over from them in time: they must hand over what they have. */
  private static final Duration LONG_LEASE = Duration.ofMinutes(15);

  @Test
  @Tag("proof")
  void everyOrderTakesEffectOnceWhileProcessesAreRestartedInTurn(PostgresService postgres) {
    roll(postgres, 5);
  }

  /**
   * Two relays and two consumers are told to terminate and started again in turn, while orders
   * come.
   */
  protected final void roll(PostgresService postgres, int rounds) {
    String database = postgres.freshDatabase().jdbcUrl();
    try (BrokerService service = startBroker();
        Shop shop = Shop.open(database)) {
      shop.create();
      broker().connect(service.address(), shop).close();
      List<ChildJvm> children = start(database, service.address(), 2, LONG_LEASE);
      AtomicBoolean stopped = new AtomicBoolean();
      try {
        List<List<MessageChecker.Message>> sent = writeBeside(shop, PACE, n -> !stopped.get());
        Progress progress = Progress.of(shop);
        for (int round = 0; round < rounds; round++) {
          for (ChildJvm child : children) {
            awaitMore(children, progress);
            child.stop();
            child.restart();
          }
        }
        awaitMore(children, progress);
        stopped.set(true);
        awaitThat(children, () -> isDone(shop, shop.count("orders")));
        System.out.printf("%d restarts of relays and consumers: %s%n", rounds * 4, progress.end());
        List<MessageChecker.Message> all =
            sent.stream().flatMap(each -> List.copyOf(each).stream()).toList();
        report.publishEntry(Map.of("restarts", "" + rounds * 4, "messages", "" + all.size()));
        assertThat(MessageChecker.check(all, shop.effects())).isEmpty();
        assertThat(shop.count("semel_outbox_dead")).isZero();
      } finally {
        stopped.set(true);
        children.forEach(ChildJvm::close);
      }
    }
  }

  /**
   * Runs it.
   *
   * @param processes how many relays, and as many consumers
   * @param troubles how often something happens to a process; half way it is the broker
   */
  protected final void run(String database, int orders, int processes, int troubles, long seed) {
    long stops = IntStream.range(0, troubles).filter(i -> i != troubles / 2 && i % 3 == 2).count();
    report.publishEntry(
        Map.of(
            "seed", "" + seed,
            "messages", "" + orders,
            "kills", "" + (troubles - stops),
            "stops", "" + stops));
    try (BrokerService service = startBroker();
        Shop shop = Shop.open(database)) {
      shop.create();
      broker().connect(service.address(), shop).close(); // so that the destinations are there
      List<ChildJvm> children = start(database, service.address(), processes, ShopProcess.LEASE);
      try {
        List<List<MessageChecker.Message>> sent = writeBeside(shop, Duration.ZERO, n -> n < orders);
        trouble(shop, service, children, orders, troubles, new Random(seed));
        awaitThat(children, () -> isDone(shop, orders));
        List<MessageChecker.Message> all = sent.stream().flatMap(List::stream).toList();
        assertThat(all).hasSize(orders);
        assertThat(MessageChecker.check(all, shop.effects())).isEmpty();
        assertThat(shop.count("semel_outbox_dead")).isZero();
      } finally {
        children.forEach(ChildJvm::close);
      }
    }
  }

  /**
   * Waits as a platform does that runs them: one that ended by itself is started again, such as one
   * to which its broker was too slow at the start.
   */
  private static void awaitThat(List<ChildJvm> children, BooleanSupplier condition) {
    try {
      await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(20))
          .until(
              () -> {
                children.stream().filter(child -> !child.alive()).forEach(ChildJvm::restart);
                return condition.getAsBoolean();
              });
    } catch (ConditionTimeoutException e) {
      String states = children.stream().map(ChildJvm::state).collect(Collectors.joining("\n"));
      throw new AssertionError(e.getMessage() + "\n" + states, e);
    }
  }

  private static void awaitMore(List<ChildJvm> children, Progress progress) {
    long wanted = progress.effects() + MORE;
    awaitThat(children, () -> progress.effects() >= wanted);
  }

  /** No fewer effects than orders, and nothing on its way. */
  private static boolean isDone(Shop shop, long orders) {
    return shop.count("effects") >= orders && shop.count("semel_outbox") == 0;
  }

  private List<ChildJvm> start(String database, String address, int processes, Duration lease) {
    List<ChildJvm> children = new ArrayList<>();
    for (int i = 0; i < processes; i++) {
      for (String role : List.of("relay", "consumer")) {
        children.add(
            ChildJvm.start(
                process(),
                folder.resolve(role + i + ".log"),
                database,
                address,
                role,
                lease.toString()));
      }
    }
    return children;
  }

  /** Each key has one writer, so the order of its messages is known. */
  private static List<List<MessageChecker.Message>> writeBeside(
      Shop shop, Duration pause, IntPredicate wanted) {
    AtomicInteger next = new AtomicInteger();
    List<List<MessageChecker.Message>> sent = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      List<MessageChecker.Message> mine = Collections.synchronizedList(new ArrayList<>());
      sent.add(mine);
      int me = writer;
      Thread.ofPlatform()
          .daemon()
          .start(
              () -> {
                for (int n = next.getAndIncrement(); wanted.test(n); n = next.getAndIncrement()) {
                  String key = n % 10 == 0 ? "" : "customer-" + me + "-" + n % KEYS_EACH;
                  String id = "order-" + n;
                  shop.order(Message.of(Shop.DESTINATION, id).withIdOf(id).withOrderingKey(key));
                  String named = Message.of(Shop.DESTINATION, id).withIdOf(id).id();
                  mine.add(new MessageChecker.Message(named, key, true));
                  LockSupport.parkNanos(pause.toNanos());
                }
              });
    }
    return sent;
  }

  /** Something happens each time when so much more is done. */
  private static void trouble(
      Shop shop,
      BrokerService service,
      List<ChildJvm> children,
      int orders,
      int count,
      Random random) {
    for (int i : IntStream.range(0, count).toArray()) {
      long mark = (long) orders * i / count;
      awaitThat(children, () -> shop.count("effects") >= mark);
      ChildJvm victim = children.get(random.nextInt(children.size()));
      if (i == count / 2) {
        service.crash();
      } else if (i % 3 == 2) {
        victim.pause();
        // Past its lease: others go on with what it has.
        await().pollDelay(ShopProcess.LEASE.multipliedBy(2)).until(() -> true);
        victim.resume();
      } else {
        victim.restart();
      }
    }
  }
}
