package dev.semel.benchmarks.messages;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.benchmarks.growth.Axis;
import dev.semel.benchmarks.growth.Figures;
import dev.semel.benchmarks.growth.Load;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.jdbc.OutboxSettings;
import dev.semel.jdbc.PostgresStore;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelaySettings;
import dev.semel.testservices.NatsService;
import dev.semel.testservices.PostgresService;
import dev.semel.transport.Transport;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Measures growing numbers of relays and consumers, as threads of one process, from one PostgreSQL
 * over one JetStream that syncs every message. Relays also run against a broker that confirms
 * everything at once, which shows the database's limit.
 */
public final class RelayGrowth {
  private static final int CONNECTIONS = 40;
  private static final Duration LEASE = Duration.ofSeconds(2);

  /** How long new relays take to share the partitions: several heartbeats. */
  private static final Duration SETTLING = LEASE.multipliedBy(2);

  private static final int AT_ONCE = 100_000;
  private static final int FORCED = 20_000;
  private static final int STEADY_PER_SECOND = 300;
  private static final Duration STEADY = Duration.ofSeconds(4);

  private final Figures figures;
  private final HikariDataSource pool;
  private final JdbcOutbox outbox;
  private final RacedBroker broker;
  private final LongSupplier cpu;

  private RelayGrowth(
      Figures figures,
      HikariDataSource pool,
      JdbcOutbox outbox,
      RacedBroker broker,
      LongSupplier cpu) {
    this.figures = figures;
    this.pool = pool;
    this.outbox = outbox;
    this.broker = broker;
    this.cpu = cpu;
  }

  /** Prints and draws the relays' figures. */
  public static void relays(PrintStream out, Path plots, List<Integer> sizes) throws Exception {
    on(
        out,
        plots,
        (growth, store) -> {
          for (int size : sizes) {
            growth.relays(size);
          }
        });
  }

  /** Prints and draws the consumers' figures. */
  public static void consumers(PrintStream out, Path plots, List<Integer> sizes) throws Exception {
    on(
        out,
        plots,
        (growth, store) -> {
          try (JdbcInbox inbox = JdbcInbox.on(store)) {
            BareInbox unused = new BareInbox(growth.pool); // creates the accounts
            ConsumerGrowth consumers = new ConsumerGrowth(growth.figures, growth.broker, inbox);
            for (int size : sizes) {
              consumers.grow(size, FORCED, STEADY_PER_SECOND, STEADY);
            }
          }
        });
  }

  @FunctionalInterface
  private interface Growing {
    void run(RelayGrowth growth, PostgresStore store) throws Exception;
  }

  private static void on(PrintStream out, Path plots, Growing growing) throws Exception {
    Figures figures = Figures.of(plots, "relays");
    try (PostgresService service = PostgresService.start();
        NatsRace broker = NatsRace.start(NatsService.start(), ConsumerGrowth.PARTITIONS);
        HikariDataSource pool = new HikariDataSource()) {
      pool.setJdbcUrl(service.freshDatabase().jdbcUrl());
      pool.setMaximumPoolSize(CONNECTIONS);
      PostgresStore store = PostgresStore.open(pool);
      try (JdbcOutbox outbox = JdbcOutbox.on(store, OutboxSettings.defaults())) {
        growing.run(
            new RelayGrowth(figures, pool, outbox, broker, Load.of(service.process())), store);
      }
    }
    draw(plots);
    figures.print(out, "relays or consumers");
  }

  /** Draws the figures so far. */
  public static void draw(Path plots) throws IOException {
    Axis x = Axis.log("relays or consumers");
    Figures.of(plots, "relays")
        .draw("relays-rate", "messages/s", "Relays and consumers", x, Axis.log("messages a second"))
        .draw("relays-lag", "lag p99 ms", "At 300 messages a second", x, Axis.log("p99 lag, ms"));
  }

  private void relays(int size) throws Exception {
    Drains drains = new Drains(pool, outbox);
    double seconds = 0;
    long cpuBefore = 0;
    for (int round = 0; round < 2; round++) { // the first round warms up the compiler
      Counting counting = new Counting(AT_ONCE);
      try (Relays relays = new Relays(size, counting)) {
        drains.insert(AT_ONCE, "orders");
        cpuBefore = cpu.getAsLong();
        seconds = relays.await(AT_ONCE);
      }
    }
    keep("relays, broker takes all at once", size, AT_ONCE, seconds, cpuBefore);
    try (Relays relays = new Relays(size, broker.transport())) {
      drains.insert(FORCED, broker.freshDestination());
      cpuBefore = cpu.getAsLong();
      seconds = relays.await(FORCED);
      keep("relays to JetStream", size, FORCED, seconds, cpuBefore);
    }
    lag(size);
  }

  private void keep(String series, int size, int count, double seconds, long cpuBefore)
      throws IOException {
    figures
        .put("messages/s", series, size, count / seconds)
        .put("processor µs, PostgreSQL", series, size, (cpu.getAsLong() - cpuBefore) / 1e3 / count);
  }

  /** Measures from before the insert, so including the commit, to the broker's confirmation. */
  private void lag(int size) throws Exception {
    Lags lags = new Lags(broker.transport());
    try (Relays relays = new Relays(size, lags);
        Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      String destination = broker.freshDestination();
      int count =
          Lags.steadily(
              STEADY_PER_SECOND,
              STEADY,
              number -> {
                outbox.add(connection, Lags.stamped(destination, number));
                connection.commit();
              });
      double unused = relays.await(count);
      connection.setAutoCommit(true);
    }
    figures
        .put("lag p50 ms", "relays to JetStream", size, lags.part(0.5))
        .put("lag p99 ms", "relays to JetStream", size, lags.part(0.99));
  }

  /** A number of relays that have shared the partitions. */
  private final class Relays implements AutoCloseable {
    private final List<Relay> all = new ArrayList<>();

    /** The relays start on an empty table, and rest. */
    Relays(int size, Transport transport) throws InterruptedException {
      RelaySettings settings = RelaySettings.defaults().withLease(LEASE);
      for (int i = 0; i < size; i++) {
        all.add(Relay.start(outbox.store(), transport, settings));
      }
      TimeUnit.NANOSECONDS.sleep(size == 1 ? 0 : SETTLING.toNanos());
    }

    /** Waits until this many messages are published; they are all in the table now. */
    double await(int count) throws InterruptedException {
      long started = System.nanoTime();
      all.forEach(Relay::wake);
      while (published() < count) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
      return (System.nanoTime() - started) / 1e9;
    }

    private long published() {
      return all.stream().mapToLong(relay -> relay.counts().published()).sum();
    }

    @Override
    public void close() {
      all.forEach(Relay::close);
    }
  }
}
