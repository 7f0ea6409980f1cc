package dev.semel.redis;

import dev.semel.tck.StatisticsStoreContract;
import dev.semel.tck.StoreUnderTest;
import dev.semel.testservices.RedisClusterService;
import dev.semel.testservices.Services;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("service")
@ExtendWith(Services.class)
class RedisClusterStatisticsStoreTest extends StatisticsStoreContract {
  private static RedisClusterUnderTest store;

  @BeforeAll
  static void open(RedisClusterService redis) {
    store = new RedisClusterUnderTest(redis, "");
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
