package dev.semel.benchmarks.messages;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Key;
import dev.semel.benchmarks.Findings;
import dev.semel.benchmarks.Rounds;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.jdbc.OutboxSettings;
import dev.semel.jdbc.PostgresStore;
import dev.semel.redis.RedisStore;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.RedisService;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What it costs that Semel logs: the same work with its loggers on and off, in turns. */
public final class LoggingRace {
  private static final int ROUNDS = 5;
  private static final int THREADS = 64;
  private static final int MESSAGES = 200_000;
  private static final Duration ROUND = Duration.ofSeconds(3);
  private static final String OFF = "the same with loggers off";
  private static final double GOAL = 0.95;
  private static final Fingerprint FINGERPRINT = Fingerprint.of("10 EUR");

  /** Held, because the JDK forgets the level of a logger that nobody holds. */
  private static final Logger LOGGER = Logger.getLogger("dev.semel");

  private final Findings out;
  private final AtomicLong keys = new AtomicLong();

  private LoggingRace(Findings out) {
    this.out = out;
  }

  /** Runs both comparisons. */
  public static void run(Findings out) throws Exception {
    LoggingRace race = new LoggingRace(out);
    try {
      race.executions();
      race.drains();
    } finally {
      LOGGER.setLevel(null);
    }
  }

  private void compare(String title, Rounds.Contender work) throws Exception {
    new Rounds(out, ROUNDS)
        .limit(title, () -> logging(null, work), OFF, () -> logging(Level.OFF, work), GOAL);
  }

  private static double logging(@Nullable Level level, Rounds.Contender work) throws Exception {
    LOGGER.setLevel(level);
    return work.rate();
  }

  private void executions() throws Exception {
    try (RedisService service = RedisService.start("--appendonly", "no");
        RedisStore store = RedisStore.open(service.url());
        Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
      compare("redis, first execution, 64 virtual threads", () -> executions(idempotency));
    }
  }

  /** Executions a second. */
  private double executions(Idempotency idempotency) throws Exception {
    long began = System.nanoTime();
    long end = began + out.pace().round(ROUND).toNanos();
    long done = 0;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Long> each :
          IntStream.range(0, THREADS)
              .mapToObj(thread -> threads.submit(() -> executeUntil(end, idempotency)))
              .toList()) {
        done += each.get();
      }
    }
    return done * 1e9 / (System.nanoTime() - began);
  }

  private long executeUntil(long end, Idempotency idempotency) {
    long done = 0;
    while (System.nanoTime() - end < 0) {
      Key key = Key.of("payment", "order-" + keys.incrementAndGet());
      idempotency.execute(key, FINGERPRINT, Codec.utf8(), execution -> "receipt");
      done++;
    }
    return done;
  }

  private void drains() throws Exception {
    try (PostgresService service = PostgresService.start();
        HikariDataSource pool = new HikariDataSource()) {
      pool.setJdbcUrl(service.freshDatabase().jdbcUrl());
      PostgresStore store = PostgresStore.open(pool);
      try (JdbcOutbox outbox = JdbcOutbox.on(store, OutboxSettings.defaults())) {
        Drains drains = new Drains(pool, outbox);
        int messages = out.pace().count(MESSAGES);
        compare(
            "relay empties a backlog",
            () -> {
              drains.fill(messages);
              long began = System.nanoTime();
              drains.relay(messages);
              return messages * 1e9 / (System.nanoTime() - began);
            });
      }
    }
  }
}
