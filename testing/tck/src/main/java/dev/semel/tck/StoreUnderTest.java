package dev.semel.tck;

import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.Store;
import java.time.Duration;

/**
 * A store under test, and control of its clock. All tests of a class may share it, because each
 * uses different keys.
 */
public interface StoreUnderTest {
  Store store();

  default IdempotencyStore idempotency() {
    return store().idempotency();
  }

  default KeyCatalog catalog() {
    return store().catalog();
  }

  default StatisticsStore statistics() {
    return store().statistics();
  }

  /**
   * Returns once the store's clock has advanced by at least {@code d}: advances a manual clock, or
   * waits for an engine's clock.
   */
  void elapse(Duration d);

  /**
   * Whether ended records stay until {@link KeyCatalog#purge} removes them; false where the engine
   * expires them itself.
   */
  default boolean keepsEndedRecordsUntilPurged() {
    return true;
  }

  /**
   * Whether a listing may repeat a record: the engine can only scan, and repeats records when its
   * table is resized or a replica takes over meanwhile.
   */
  default boolean listingMayRepeat() {
    return false;
  }

  /**
   * How often each race runs; the narrower the store's races, the more rounds a collision needs.
   */
  default int raceRounds() {
    return 10;
  }

  /** How many random histories run, with the seeds from 1 on. */
  default int histories() {
    return 3;
  }

  /** How many steps each history has; choose it by the engine's round-trip time. */
  default int historySteps() {
    return 400;
  }

  /**
   * About how often time passes in each history; each costs a fifth of a second on a real clock.
   */
  default int historyElapses() {
    return 8;
  }
}
