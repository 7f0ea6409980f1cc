package dev.semel.cli.connect;

import dev.semel.InvalidInput;
import dev.semel.PrintableText;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.jdbc.JdbcJobs;
import dev.semel.jdbc.MariaDbStore;
import dev.semel.jdbc.PostgresStore;
import dev.semel.jdbc.SqliteStore;
import dev.semel.job.JobQueue;
import dev.semel.job.MemoryJobs;
import dev.semel.redis.RedisJobs;
import dev.semel.redis.RedisStore;
import java.time.InstantSource;
import java.util.Optional;

/** Where the jobs of a store are: on the same engine, if that has queues. */
@FunctionalInterface
public interface JobQueues {
  /** Those that there are. This is the one place to know an engine's queue by its store. */
  JobQueues KNOWN =
      store ->
          switch (store) {
            case MemoryStore memory -> Optional.of(new MemoryJobs(InstantSource.system()));
            case SqliteStore sqlite -> Optional.of(JdbcJobs.on(sqlite));
            case PostgresStore postgres -> Optional.of(JdbcJobs.on(postgres));
            case MariaDbStore maria -> Optional.of(JdbcJobs.on(maria));
            case RedisStore redis -> Optional.of(RedisJobs.on(redis));
            default -> Optional.empty();
          };

  /** Empty: this store has no job queue. */
  Optional<JobQueue> on(Store store);

  default JobQueue required(Store store) {
    return on(store)
        .orElseThrow(
            () ->
                new InvalidInput(
                    "this store has no job queue in this version: %s"
                        .formatted(PrintableText.safe(store.describe()))));
  }

  /** For who would rather have a queue that ends with the process than none. */
  default JobQueue orInMemory(Store store) {
    return on(store).orElseGet(() -> new MemoryJobs(InstantSource.system()));
  }
}
