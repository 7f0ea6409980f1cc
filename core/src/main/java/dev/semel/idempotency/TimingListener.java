package dev.semel.idempotency;

import dev.semel.Operation;
import dev.semel.idempotency.internal.TimedStore;
import dev.semel.idempotency.spi.Store;
import java.time.Duration;

/**
 * Hears what events don't tell: how long decisions and keys took, and how long records are kept. Is
 * called in an execution's path by many threads, so it must be quick, and must not throw.
 */
public interface TimingListener {
  /** Who hears nothing. */
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

  /** How long it took to decide who runs; also where that could not be decided. */
  void checked(Operation operation, Duration took);

  /** A record of what was done, or failed for good, was written that is to be kept so long. */
  void kept(Operation operation, Duration retention);

  /** How long it took to make a key. */
  void keyMade(Operation operation, Duration took);

  /**
   * The same store, of whose claims and records this hears. Executions in the same transaction call
   * no store: {@code TransactionalIdempotency} takes timings itself.
   */
  default Store timing(Store store) {
    return new TimedStore(store, this);
  }
}
