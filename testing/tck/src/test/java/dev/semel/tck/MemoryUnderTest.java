package dev.semel.tck;

import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.spi.Store;
import java.time.Duration;

/** A new in-memory store on a clock of its own. */
final class MemoryUnderTest implements StoreUnderTest {
  private final ManualClock clock = new ManualClock();
  private final MemoryStore store = new MemoryStore(clock);

  @Override
  public Store store() {
    return store;
  }

  @Override
  public void elapse(Duration d) {
    clock.advance(d);
  }

  @Override
  public int raceRounds() {
    return 200;
  }

  @Override
  public int histories() {
    return 50;
  }

  @Override
  public int historySteps() {
    return 2000;
  }

  @Override
  public int historyElapses() {
    return 200;
  }
}
