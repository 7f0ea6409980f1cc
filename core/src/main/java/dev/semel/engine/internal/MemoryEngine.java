package dev.semel.engine.internal;

import dev.semel.engine.spi.Engine;
import dev.semel.engine.spi.EngineOptions;
import dev.semel.engine.spi.EngineProvider;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.job.MemoryJobs;
import dev.semel.job.spi.JobQueue;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;

/** The engine in memory: everything is lost with the process. */
final class MemoryEngine implements Engine {
  static final String SCHEME = "memory";

  static final EngineProvider PROVIDER =
      new EngineProvider() {
        @Override
        public Set<String> schemes() {
          return Set.of(SCHEME);
        }

        @Override
        public Engine open(String url, EngineOptions options) {
          return new MemoryEngine(new MemoryStore(options.clock()), options.clock());
        }

        @Override
        public Optional<Engine> on(Store store) {
          return store instanceof MemoryStore memory
              ? Optional.of(new MemoryEngine(memory, InstantSource.system()))
              : Optional.empty();
        }
      };

  private final MemoryStore store;
  private final MemoryJobs jobs;

  private MemoryEngine(MemoryStore store, InstantSource clock) {
    this.store = store;
    this.jobs = new MemoryJobs(clock);
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public Optional<JobQueue> jobs() {
    return Optional.of(jobs);
  }

  @Override
  public void close() {
    jobs.close();
    store.close();
  }
}
