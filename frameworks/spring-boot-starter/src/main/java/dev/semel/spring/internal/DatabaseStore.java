package dev.semel.spring.internal;

import dev.semel.idempotency.GuardedExecutor;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.TimingListener;
import dev.semel.idempotency.spi.Store;
import java.util.Optional;

/** The application's database, in types that work without JDBC on the class path. */
public interface DatabaseStore {
  /**
   * The store in this database.
   *
   * @throws UnusableStore Semel has no store for this kind of database
   */
  Store store();

  /** Executions in Spring's transactions; empty: not possible with this store. */
  Optional<GuardedExecutor> sameTransaction(
      Idempotency idempotency, Store used, TimingListener timings);
}
