package dev.semel.redis;

import dev.semel.idempotency.spi.Store;
import dev.semel.tck.StoreUnderTest;
import dev.semel.testservices.RedisService;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The store on a real server, and a second connection to inspect and disturb that server. */
public final class RedisUnderTest implements StoreUnderTest, AutoCloseable {
  private static final Duration LOOK_EVERY = Duration.ofMillis(2);

  private final RedisStore store;
  private final RedisClient client;
  private final RedisCommands<String, String> commands;

  RedisUnderTest(RedisService redis) {
    this(redis.url());
  }

  public RedisUnderTest(String url) {
    this.store = RedisStore.open(url);
    this.client = RedisClient.create(url);
    this.commands = client.connect().sync();
  }

  public RedisCommands<String, String> commands() {
    return commands;
  }

  @Override
  public Store store() {
    return store;
  }

  /** A key lives until the end of its last millisecond, so waits one more. */
  @Override
  public void elapse(Duration d) {
    long end = nowMillis() + d.toMillis() + 1;
    while (nowMillis() < end) {
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
  }

  private long nowMillis() {
    List<String> now = commands.time();
    return TimeUnit.SECONDS.toMillis(Long.parseLong(now.get(0)))
        + TimeUnit.MICROSECONDS.toMillis(Long.parseLong(now.get(1)));
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
    client.shutdown();
  }
}
