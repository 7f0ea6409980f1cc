package dev.semel.jdbc;

import dev.semel.tck.EventStoreContract;
import dev.semel.tck.StoreUnderTest;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("service")
@ExtendWith(SharedServices.class)
final class PostgresEventStoreTest extends EventStoreContract {
  private static ServerUnderTest store;

  @BeforeAll
  static void open(PostgresService postgres) {
    store = ServerUnderTest.of(postgres.freshDatabase());
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
