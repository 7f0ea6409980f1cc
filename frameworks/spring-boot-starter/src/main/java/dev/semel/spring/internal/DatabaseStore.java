package dev.semel.spring.internal;

import dev.semel.idempotency.GuardedExecutor;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.TimingListener;
import dev.semel.idempotency.spi.Store;
import java.util.Optional;

/** The application's own database, as far as those see it who may be there without JDBC. */
public interface DatabaseStore {
  /**
   * Records in it.
   *
   * @throws UnusableStore it is of a kind that has no store
   */
  Store store();

  /** Whether there is one in use for executions in Spring's transactions. */
  Optional<GuardedExecutor> sameTransaction(
      Idempotency idempotency, Store used, TimingListener timings);
}
