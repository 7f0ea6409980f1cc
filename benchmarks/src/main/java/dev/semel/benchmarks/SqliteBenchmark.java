package dev.semel.benchmarks;

import dev.semel.Key;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.jdbc.SqliteStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;

/** An execution on SQLite against its limit: both are two durable writes. */
final class SqliteBenchmark {
  private static final int THREADS = 64;

  private SqliteBenchmark() {}

  static void run(Findings out, Path folder) throws Exception {
    Race race =
        new Race(
            THREADS,
            Thread.ofPlatform().daemon().name("bench-", 0).factory(),
            Duration.ofSeconds(3),
            out);
    Fingerprint fingerprint = Fingerprint.of("10 EUR");
    try (SqliteStore store = SqliteStore.open(folder.resolve("semel.db"), InstantSource.system());
        Idempotency idempotency = new Idempotency(store, SemelListener.NONE);
        BareSqlite bare = new BareSqlite(folder.resolve("bare.db"))) {
      Race.Contender ours =
          number ->
              idempotency.execute(
                  Key.of("payment", "order-" + number),
                  fingerprint,
                  Codec.utf8(),
                  execution -> "receipt");
      race.run(
          "sqlite, first execution, 64 threads",
          ours,
          "bare insert + update, group commit",
          number -> {
            bare.insert(number);
            bare.update(number);
          },
          0.7);
      race.run(
          "sqlite, first execution (two commits)",
          ours,
          "one bare insert, group commit",
          bare::insert,
          0.7);
      Unobserved.race(race, "sqlite, with events and statistics", store);
    }
  }
}
