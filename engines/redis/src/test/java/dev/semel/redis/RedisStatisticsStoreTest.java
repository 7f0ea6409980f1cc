package dev.semel.redis;

import dev.semel.tck.StatisticsStoreContract;
import dev.semel.tck.StoreUnderTest;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.SharedServices;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("service")
@ExtendWith(SharedServices.class)
class RedisStatisticsStoreTest extends StatisticsStoreContract {
  private static RedisUnderTest store;

  @BeforeAll
  static void open(RedisService redis) {
    // A separate database, because the contract resets all counts.
    store = new RedisUnderTest(redis.url() + "/2");
  }

  @AfterAll
  static void close() {
    store.close();
  }

  @Override
  protected StoreUnderTest store() {
    return store;
  }
}
