package dev.semel.redis.internal;

import dev.semel.engine.spi.Engine;
import dev.semel.engine.spi.EngineOptions;
import dev.semel.engine.spi.EngineProvider;
import dev.semel.idempotency.spi.Store;
import dev.semel.job.spi.JobQueue;
import dev.semel.redis.RedisJobs;
import dev.semel.redis.RedisStore;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Opens Redis and Redis Cluster by URL, with and without TLS. */
public final class RedisEngineProvider implements EngineProvider {
  @Override
  public Set<String> schemes() {
    return Set.of("redis", "rediss", "redis-cluster", "rediss-cluster");
  }

  @Override
  public Engine open(String url, EngineOptions options) {
    return new RedisEngine(RedisStore.open(url));
  }

  @Override
  public Optional<Engine> on(Store store) {
    return store instanceof RedisStore redis
        ? Optional.of(new RedisEngine(redis))
        : Optional.empty();
  }

  private static final class RedisEngine implements Engine {
    private final RedisStore store;
    private @Nullable JobQueue jobs;

    RedisEngine(RedisStore store) {
      this.store = store;
    }

    @Override
    public Store store() {
      return store;
    }

    @Override
    public synchronized Optional<JobQueue> jobs() {
      JobQueue open = jobs == null ? RedisJobs.on(store) : jobs;
      jobs = open;
      return Optional.of(open);
    }

    @Override
    public synchronized void close() {
      try {
        if (jobs != null) {
          jobs.close();
        }
      } finally {
        store.close();
      }
    }
  }
}
