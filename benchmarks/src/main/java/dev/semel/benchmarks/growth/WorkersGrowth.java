package dev.semel.benchmarks.growth;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Key;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Maintenance;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.jdbc.PostgresStore;
import dev.semel.jdbc.SqliteStore;
import dev.semel.jdbc.TransactionalIdempotency;
import dev.semel.redis.RedisStore;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.RedisService;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Measures growing numbers of workers, as threads of one process with one store, like those of a
 * service.
 */
public final class WorkersGrowth {
  private static final Duration TIME = Duration.ofSeconds(3);

  /** So short that its records fit into memory. */
  private static final Duration MEMORY_TIME = Duration.ofMillis(600);

  private static final int MEMORY_RECORDS = 20_000_000;
  private static final int CONNECTIONS = 16;
  private static final Fingerprint FINGERPRINT = Fingerprint.of("10 EUR");
  private static final Key HOT = Key.of("payment", "hot");

  private final Figures figures;
  private final List<Integer> workers;

  private WorkersGrowth(Figures figures, List<Integer> workers) {
    this.figures = figures;
    this.workers = workers;
  }

  /** Prints and draws the figures. */
  public static void run(PrintStream out, Path plots, Path folder, List<Integer> workers)
      throws Exception {
    Figures figures = Figures.of(plots, "workers");
    WorkersGrowth growth = new WorkersGrowth(figures, workers);
    for (int each : workers) {
      growth.on("memory", new MemoryStore(InstantSource.system(), MEMORY_RECORDS), each);
    }
    growth.sqlite(folder);
    growth.redis();
    growth.postgres();
    draw(plots);
    figures.print(out, "workers");
  }

  /** Draws the figures so far. */
  public static void draw(Path plots) throws IOException {
    Axis x = Axis.log("workers (threads of one process)");
    Figures.of(plots, "workers")
        .draw("workers-rate", "executions/s", "A new key each", x, Axis.log("executions a second"))
        .draw("workers-p99", "p99 µs", "A new key each", x, Axis.log("p99, µs"))
        .draw(
            "workers-hot",
            "hot: answers/s",
            "All ask for one finished key",
            x,
            Axis.log("answers a second"));
  }

  private void sqlite(Path folder) throws Exception {
    try (SqliteStore store =
        SqliteStore.open(folder.resolve("workers.db"), InstantSource.system())) {
      for (int each : workers) {
        on("SQLite", store, each);
      }
    }
  }

  private void redis() throws Exception {
    try (RedisService service = RedisService.start();
        RedisStore store = RedisStore.open(service.url())) {
      for (int each : workers) {
        on("Redis", store, each, TIME, Load.of(service.process()));
      }
    }
  }

  private void postgres() throws Exception {
    try (PostgresService service = PostgresService.start();
        HikariDataSource pool = new HikariDataSource()) {
      pool.setJdbcUrl(service.freshDatabase().jdbcUrl());
      pool.setMaximumPoolSize(CONNECTIONS);
      PostgresStore store = PostgresStore.open(pool);
      LongSupplier cpu = Load.of(service.process());
      for (int each : workers) {
        on("PostgreSQL", store, each, TIME, cpu);
      }
      try (Maintenance maintenance = Maintenance.start(store, SemelListener.NONE);
          TransactionalIdempotency idempotency = TransactionalIdempotency.on(store, maintenance)) {
        for (int each : workers) {
          Load load = new Load(Thread.ofPlatform().daemon().factory(), TIME, cpu);
          String prefix = "same-" + each + "-";
          keep(
              "PostgreSQL, same transaction",
              each,
              load.warmAndRun(
                  each,
                  number ->
                      idempotency.execute(
                          request(Key.of("payment", prefix + number)),
                          (connection, execution) -> "receipt")));
        }
      }
    }
  }

  private void on(String name, Store store, int count) throws Exception {
    on(name, store, count, name.equals("memory") ? MEMORY_TIME : TIME, () -> 0);
  }

  private void on(String name, Store store, int count, Duration time, LongSupplier cpu)
      throws Exception {
    Load load = new Load(Thread.ofPlatform().daemon().factory(), time, cpu);
    String prefix = count + "-";
    try (Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
      keep(
          name,
          count,
          load.warmAndRun(
              count,
              number ->
                  idempotency.execute(
                      request(Key.of("payment", prefix + number)), execution -> "receipt")));
      Load.Seen hot =
          load.warmAndRun(
              count, number -> idempotency.execute(request(HOT), execution -> "receipt"));
      figures
          .put("hot: answers/s", name, count, hot.rate())
          .put("hot: p99 µs", name, count, hot.p99());
    }
  }

  private static ExecutionRequest<String> request(Key key) {
    return ExecutionRequest.of(key, Codec.utf8()).withFingerprint(FINGERPRINT);
  }

  private void keep(String name, int count, Load.Seen seen) throws IOException {
    figures
        .put("executions/s", name, count, seen.rate())
        .put("p50 µs", name, count, seen.p50())
        .put("p99 µs", name, count, seen.p99())
        .put("processor µs, client", name, count, seen.here())
        .put("processor µs, server", name, count, seen.there());
  }
}
