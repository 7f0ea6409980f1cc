package dev.semel.benchmarks.messages;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.benchmarks.Figure;
import dev.semel.benchmarks.Findings;
import dev.semel.benchmarks.Rounds;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.jdbc.OutboxSettings;
import dev.semel.jdbc.PostgresStore;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelaySettings;
import dev.semel.testservices.PostgresService;
import dev.semel.transport.Message;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** The relay and the inbox on PostgreSQL against the database's limit without them. */
public final class OutboxBenchmark {
  private static final int BACKLOG = 200_000;
  private static final int PEER_BACKLOG = 5_000;
  private static final int ROUNDS = 5;
  private static final int PEER_ROUNDS = 3;

  /** In each round. */
  private static final int COMMITS = 100;

  private static final int WARM = 5;

  private final Findings out;
  private final PostgresService service;
  private final DataSource source;

  private OutboxBenchmark(Findings out, PostgresService service, DataSource source) {
    this.out = out;
    this.service = service;
    this.source = source;
  }

  /** Prints the figures. */
  public static void run(Findings out) throws Exception {
    try (PostgresService service = PostgresService.start(Map.of("wal_level", "logical"));
        HikariDataSource pool = new HikariDataSource()) {
      pool.setJdbcUrl(service.freshDatabase().jdbcUrl());
      pool.setMaximumPoolSize(16);
      PostgresStore store = PostgresStore.open(pool);
      OutboxBenchmark benchmark = new OutboxBenchmark(out, service, pool);
      try (JdbcOutbox outbox = JdbcOutbox.on(store, OutboxSettings.defaults())) {
        benchmark.drain(outbox);
      }
      try (JdbcInbox inbox = JdbcInbox.on(store)) {
        new InboxRaces(out, pool, inbox).run();
      }
    }
  }

  @FunctionalInterface
  private interface Step {
    void run() throws Exception;
  }

  /** A step's duration, and its processor time here and in the database. */
  private record Cost(double seconds, double cpuSeconds) {}

  private Cost cost(Step step) throws Exception {
    double cpu = cpuSeconds();
    long started = System.nanoTime();
    step.run();
    double seconds = (System.nanoTime() - started) / 1e9;
    return new Cost(seconds, cpuSeconds() - cpu);
  }

  /**
   * The processor time of this process, the server and its children; processes that ended in
   * between are missed.
   */
  private double cpuSeconds() {
    return Stream.concat(
                Stream.of(ProcessHandle.current(), service.process()),
                service.process().descendants())
            .mapToLong(each -> each.info().totalCpuDuration().map(d -> d.toNanos()).orElse(0L))
            .sum()
        / 1e9;
  }

  private void drain(JdbcOutbox outbox) throws Exception {
    Drains drains = new Drains(source, outbox);
    List<Double> cpu = new ArrayList<>();
    int backlog = out.pace().count(BACKLOG);
    Rounds.Contender relay =
        () -> {
          drains.fill(backlog);
          Cost cost = cost(() -> drains.relay(backlog));
          cpu.add(cost.cpuSeconds() / backlog * 1e6);
          return backlog / cost.seconds();
        };
    String title = "relay empties a backlog";
    new Rounds(out, ROUNDS)
        .limit(
            title,
            relay,
            "bare loop",
            () -> {
              drains.fill(backlog);
              return backlog / cost(() -> drains.bare(backlog)).seconds();
            },
            0.8);
    out.add(
        Figure.alone("processor time of an event, client and server", Rounds.median(cpu), "µs", 8));
    int fewer = out.pace().count(PEER_BACKLOG);
    new Rounds(out, PEER_ROUNDS)
        .peer(title, relay, "gruelbox, 8 threads", () -> fewer / drains.peer(fewer), 30);
    new Rounds(out, PEER_ROUNDS)
        .peer(
            title, relay, "Debezium", () -> backlog / debezium(d -> d.drain(backlog)), Double.NaN);
    latency(outbox);
  }

  @FunctionalInterface
  private interface Asked<T> {
    T of(DebeziumPeer peer) throws Exception;
  }

  /**
   * Runs only during its own rounds, because it would read the other contenders' writes from the
   * log.
   */
  private <T> T debezium(Asked<T> asked) throws Exception {
    try (DebeziumPeer debezium = DebeziumPeer.start(service, source)) {
      return asked.of(debezium);
    }
  }

  private void latency(JdbcOutbox outbox) throws Exception {
    List<Double> ours = new ArrayList<>();
    List<Double> others = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      ours.addAll(latencies(outbox, out.pace().count(COMMITS)));
      others.addAll(debezium(d -> d.latencies(out.pace().count(COMMITS))));
    }
    String title = "from commit to publish, at rest, ";
    out.add(Figure.alone(title + "p50", Rounds.median(ours), "ms", 10));
    out.add(
        Figure.beside(title + "p50", Rounds.median(ours), "ms", "Debezium", Rounds.median(others))
            .withPeer());
    out.add(
        Figure.beside(title + "p99", part(ours, 0.99), "ms", "Debezium", part(others, 0.99))
            .withPeer());
  }

  private List<Double> latencies(JdbcOutbox outbox, int commits) throws Exception {
    List<Double> millis = new ArrayList<>();
    try (Timed broker = new Timed();
        Relay relay = Relay.start(outbox.store(), broker, RelaySettings.defaults());
        Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      for (int i = -WARM; i < commits; i++) {
        outbox.add(connection, Message.of("orders", "x").withOrderingKey("k" + i % 100));
        connection.commit();
        long committed = System.nanoTime();
        double took = Math.max(0, broker.await() - committed) / 1e6;
        if (i >= 0) { // a relay takes its partitions before that
          millis.add(took);
        }
      }
      out.say("%d published", relay.counts().published());
    }
    return millis;
  }

  private static double part(List<Double> values, double share) {
    return values.stream().sorted().toList().get((int) (values.size() * share));
  }

  static void execute(DataSource source, String sql) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
