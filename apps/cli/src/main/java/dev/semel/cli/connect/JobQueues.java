package dev.semel.cli.connect;

import dev.semel.InvalidInput;
import dev.semel.engine.internal.Engines;
import dev.semel.engine.spi.Engine;
import dev.semel.idempotency.spi.Store;
import dev.semel.internal.PrintableText;
import dev.semel.job.MemoryJobs;
import dev.semel.job.spi.JobQueue;
import java.time.InstantSource;
import java.util.Optional;

/** Finds the job queue of a store: on the same engine, if the engine has queues. */
@FunctionalInterface
public interface JobQueues {
  /** Queues of the engines that {@link dev.semel.Semel} finds. */
  JobQueues KNOWN = store -> Engines.on(store).flatMap(Engine::jobs);

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

  /** The store's queue, or else one that ends with the process. */
  default JobQueue orInMemory(Store store) {
    return on(store).orElseGet(() -> new MemoryJobs(InstantSource.system()));
  }
}
