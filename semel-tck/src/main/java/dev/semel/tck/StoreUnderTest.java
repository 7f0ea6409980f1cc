package dev.semel.tck;

import dev.semel.idempotency.IdempotencyStore;
import dev.semel.idempotency.KeyCatalog;
import dev.semel.idempotency.StatisticsStore;
import java.time.Duration;

/**
 * A store and a hand on its clock. The three views are of the same engine and the same records. It
 * may be shared by all tests of a class: each draws keys of its own.
 */
public interface StoreUnderTest {
  IdempotencyStore idempotency();

  KeyCatalog catalog();

  StatisticsStore statistics();

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

  /** How many steps a random history takes; the engine's round trips decide what it can bear. */
  default int historySteps() {
    return 400;
  }

  /** How often time passes in a random history; each costs a lease of real time on a real clock. */
  default int historyElapses() {
    return 5;
  }
}
