package dev.semel.jdbc;

import dev.semel.tck.EventStoreContract;
import dev.semel.tck.StoreUnderTest;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

final class SqliteEventStoreTest extends EventStoreContract {
  @TempDir static Path folder;
  private static SqliteUnderTest store;

  @BeforeAll
  static void open() {
    store = new SqliteUnderTest(folder);
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
