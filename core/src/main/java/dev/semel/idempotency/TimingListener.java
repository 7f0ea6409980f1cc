package dev.semel.idempotency;

import dev.semel.Operation;
import dev.semel.idempotency.internal.TimedStore;
import dev.semel.idempotency.spi.Store;
import java.time.Duration;

/**
 * Receives timings that events don't have: how long decisions and keys took, and how long records
 * are kept. Many threads call it in an execution's path, so it must be quick and must not throw.
 */
public interface TimingListener {
  /** Ignores all timings. */
  TimingListener NONE =
      new TimingListener() {
        @Override
        public void checked(Operation operation, Duration took) {}

        @Override
        public void kept(Operation operation, Duration retention) {}

        @Override
        public void keyMade(Operation operation, Duration took) {}

        @Override
        public Store timing(Store store) {
          return store;
        }
      };

  /** How long it took to decide who runs, also when the decision failed. */
  void checked(Operation operation, Duration took);

  /** A record of a completed or finally failed execution was written, with this retention. */
  void kept(Operation operation, Duration retention);

  /** How long it took to make a key. */
  void keyMade(Operation operation, Duration took);

  /**
   * Wraps the store so that this receives the timings of its claims and records. Same-transaction
   * mode calls no store: {@code TransactionalIdempotency} takes timings directly.
   */
  default Store timing(Store store) {
    return new TimedStore(store, this);
  }
}
