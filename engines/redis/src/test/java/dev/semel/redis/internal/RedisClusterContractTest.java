package dev.semel.redis.internal;

import dev.semel.redis.RedisClusterUnderTest;
import dev.semel.tck.EventStoreContract;
import dev.semel.tck.IdempotencyStoreContract;
import dev.semel.tck.KeyCatalogContract;
import dev.semel.tck.SettingsStoreContract;
import dev.semel.tck.StatisticsStoreContract;
import dev.semel.tck.StoreUnderTest;
import dev.semel.testservices.RedisClusterService;
import dev.semel.testservices.SharedServices;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** All contracts on one cluster that no other test disturbs. */
@Tag("service")
@ExtendWith(SharedServices.class)
class RedisClusterContractTest {
  private static RedisClusterUnderTest store;

  @BeforeAll
  static void open(RedisClusterService redis) {
    store = new RedisClusterUnderTest(redis);
  }

  @AfterAll
  static void close() {
    store.close();
  }

  @Nested
  class Records extends IdempotencyStoreContract {
    @Override
    protected StoreUnderTest store() {
      return store;
    }
  }

  @Nested
  class Catalog extends KeyCatalogContract {
    @Override
    protected StoreUnderTest store() {
      return store;
    }
  }

  @Nested
  class Counts extends StatisticsStoreContract {
    @Override
    protected StoreUnderTest store() {
      return store;
    }
  }

  @Nested
  class Settings extends SettingsStoreContract {
    @Override
    protected StoreUnderTest store() {
      return store;
    }
  }

  @Nested
  class Events extends EventStoreContract {
    @Override
    protected StoreUnderTest store() {
      return store;
    }
  }
}
