package dev.semel.redis;

import dev.semel.idempotency.spi.Store;
import dev.semel.tck.StoreUnderTest;
import dev.semel.testservices.RedisClusterService;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The store on a real cluster. */
public final class RedisClusterUnderTest implements StoreUnderTest, AutoCloseable {
  private static final Duration LOOK_EVERY = Duration.ofMillis(2);

  private final RedisClusterService cluster;
  private final RedisStore store;

  public RedisClusterUnderTest(RedisClusterService cluster) {
    this.cluster = cluster;
    this.store = RedisStore.open(cluster.url());
  }

  @Override
  public Store store() {
    return store;
  }

  /** All nodes are on this machine, so any node's clock will do. */
  @Override
  public void elapse(Duration d) {
    long end = nowMillis() + d.toMillis() + 1;
    while (nowMillis() < end) {
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
  }

  private long nowMillis() {
    String[] now = cluster.living().get(0).ask("TIME").split("[^0-9]+", -1);
    return TimeUnit.SECONDS.toMillis(Long.parseLong(now[1]))
        + TimeUnit.MICROSECONDS.toMillis(Long.parseLong(now[2]));
  }

  @Override
  public boolean keepsEndedRecordsUntilPurged() {
    return false;
  }

  @Override
  public boolean listingMayRepeat() {
    return true;
  }

  @Override
  public void close() {
    store.close();
  }
}
