package dev.semel.benchmarks;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RBucket;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/** The usual solution with Redisson: a lock for each operation, and its result in a bucket. */
final class RedissonPeer implements AutoCloseable {
  private static final Duration KEPT = Duration.ofDays(1);
  private static final long LEASE_SECONDS = 30;

  private final RedissonClient client;

  RedissonPeer(String url) {
    Config config = new Config();
    config.useSingleServer().setAddress(url);
    config.setCodec(StringCodec.INSTANCE);
    this.client = Redisson.create(config);
  }

  /**
   * Executes without a read before the lock, which would cost a new operation one more round trip.
   */
  String execute(String id) throws InterruptedException {
    RBucket<String> result = client.getBucket("peer:result:" + id);
    RLock lock = client.getLock("peer:lock:" + id);
    if (!lock.tryLock(0, LEASE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("someone else is at work");
    }
    try {
      String first = result.get();
      if (first != null) {
        return first;
      }
      result.set("receipt", KEPT);
      return "receipt";
    } finally {
      lock.unlock();
    }
  }

  /** The result of a finished operation. */
  String replay(String id) {
    return client.<String>getBucket("peer:result:" + id).get();
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
