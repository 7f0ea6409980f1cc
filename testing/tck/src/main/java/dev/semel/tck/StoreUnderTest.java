package dev.semel.tck;

import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.Store;
import java.time.Duration;

/**
 * A store and a hand on its clock. It may be shared by all tests of a class: each draws keys of its
 * own.
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
   * Returns once the clock that the store decides by has moved on by at least {@code d}: a manual
   * clock is advanced; an engine's own clock is asked until it says so.
   */
  void elapse(Duration d);

  /**
   * Whether ended records stay until {@link KeyCatalog#purge} takes them; false where the engine
   * drops them by itself and there is nothing to purge.
   */
  default boolean keepsEndedRecordsUntilPurged() {
    return true;
  }

  /**
   * Whether a listing may show a record again: the engine can only scan, and repeats what it showed
   * when its table is resized or a replica takes over on the way.
   */
  default boolean listingMayRepeat() {
    return false;
  }

  /** How often each race is run; the narrower the store's steps, the more it takes to meet. */
  default int raceRounds() {
    return 10;
  }

  /** How many random histories are run, with the seeds from 1 on. */
  default int histories() {
    return 3;
  }

  /** How many steps each takes; the engine's round trips decide what it can bear. */
  default int historySteps() {
    return 400;
  }

  /** How often, about, time passes in each; on a real clock it costs a fifth of a second. */
  default int historyElapses() {
    return 8;
  }
}
