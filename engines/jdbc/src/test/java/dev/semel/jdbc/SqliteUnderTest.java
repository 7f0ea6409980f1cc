package dev.semel.jdbc;

import dev.semel.idempotency.spi.Store;
import dev.semel.tck.ManualClock;
import dev.semel.tck.StoreUnderTest;
import java.nio.file.Path;
import java.time.Duration;

/** A new file with a manual clock. */
final class SqliteUnderTest implements StoreUnderTest, AutoCloseable {
  private final ManualClock clock = new ManualClock();
  private final SqliteStore store;

  SqliteUnderTest(Path folder) {
    this.store = SqliteStore.open(folder.resolve("semel.db"), clock);
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public void elapse(Duration d) {
    clock.advance(d);
  }

  @Override
  public void close() {
    store.close();
  }
}
