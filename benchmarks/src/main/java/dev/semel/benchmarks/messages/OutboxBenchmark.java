package dev.semel.benchmarks.messages;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.jdbc.OutboxSettings;
import dev.semel.jdbc.PostgresStore;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelaySettings;
import dev.semel.testservices.PostgresService;
import dev.semel.transport.Message;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** The relay and the inbox on PostgreSQL, beside what the database gives without them. */
public final class OutboxBenchmark {
  private static final int BACKLOG = 200_000;
  private static final int PEER_BACKLOG = 10_000;
  private static final int ROUNDS = 5;
  private static final int COMMITS = 500;

  private final PrintStream out;
  private final PostgresService service;
  private final DataSource source;

  private OutboxBenchmark(PrintStream out, PostgresService service, DataSource source) {
    this.out = out;
    this.service = service;
    this.source = source;
  }

  /** Prints what was seen. */
  public static void run(PrintStream out) throws Exception {
    try (PostgresService service = PostgresService.start();
        HikariDataSource pool = new HikariDataSource()) {
      pool.setJdbcUrl(service.freshDatabase().jdbcUrl());
      pool.setMaximumPoolSize(16);
      PostgresStore store = PostgresStore.open(pool);
      OutboxBenchmark benchmark = new OutboxBenchmark(out, service, pool);
      try (JdbcOutbox outbox = JdbcOutbox.on(store, OutboxSettings.defaults())) {
        benchmark.drain(outbox);
        benchmark.latency(outbox);
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

  /** Of a step: how long it took, and what it cost here and in the database. */
  private record Cost(double seconds, double cpuSeconds) {}

  private Cost cost(Step step) throws Exception {
    double cpu = cpuSeconds();
    long started = System.nanoTime();
    step.run();
    double seconds = (System.nanoTime() - started) / 1e9;
    return new Cost(seconds, cpuSeconds() - cpu);
  }

  /** Of this process, the server and its children; those that ended meanwhile are missed. */
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
    List<Double> ours = new ArrayList<>();
    List<Double> bare = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    List<Double> cpu = new ArrayList<>();
    for (int round = -1; round < ROUNDS; round++) {
      drains.fill(BACKLOG);
      Cost limit = cost(() -> drains.bare(BACKLOG));
      drains.fill(BACKLOG);
      Cost relay = cost(() -> drains.relay(BACKLOG));
      if (round >= 0) {
        ours.add(BACKLOG / relay.seconds());
        bare.add(BACKLOG / limit.seconds());
        ratios.add(limit.seconds() / relay.seconds());
        cpu.add(relay.cpuSeconds() / BACKLOG * 1e6);
      }
    }
    say("relay drains", median(ours), "bare loop", median(bare), median(ratios), 0.8);
    double peer = PEER_BACKLOG / drains.peer(PEER_BACKLOG);
    say("relay drains", median(ours), "gruelbox, 8 threads", peer, median(ours) / peer, 30);
    out.printf(Locale.ROOT, "CPU of client and server per event %.1f µs   goal 8.0%n", median(cpu));
  }

  private void latency(JdbcOutbox outbox) throws Exception {
    List<Double> millis = new ArrayList<>();
    try (Timed broker = new Timed();
        Relay relay = Relay.start(outbox.store(), broker, RelaySettings.defaults());
        Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < COMMITS; i++) {
        outbox.add(connection, Message.of("orders", "x").withOrderingKey("k" + i % 100));
        connection.commit();
        long committed = System.nanoTime();
        millis.add(Math.max(0, broker.await() - committed) / 1e6);
      }
      out.printf(
          Locale.ROOT,
          "commit to publish, idle relay: p50 %.1f ms, p99 %.1f ms   goal 10   (%d published)%n",
          median(millis),
          millis.stream().sorted().toList().get(COMMITS * 99 / 100),
          relay.counts().published());
    }
  }

  private void say(
      String title, double ours, String other, double limit, double ratio, double goal) {
    out.printf(
        Locale.ROOT,
        "%-30s %,9.0f/s   %-22s %,9.0f/s   ratio %.2f   goal %.2f   %s%n",
        title,
        ours,
        other,
        limit,
        ratio,
        goal,
        ratio >= goal ? "met" : "MISSED");
  }

  static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  static void execute(DataSource source, String sql) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
