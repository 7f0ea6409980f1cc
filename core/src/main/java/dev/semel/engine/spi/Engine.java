package dev.semel.engine.spi;

import dev.semel.idempotency.GuardedExecutor;
import dev.semel.idempotency.Maintenance;
import dev.semel.idempotency.spi.Store;
import dev.semel.inbox.Inbox;
import dev.semel.job.spi.JobQueue;
import dev.semel.outbox.Outbox;
import java.sql.Connection;
import java.util.Optional;

/**
 * An engine that was opened by a URL. Each part is opened on first use, and reused from then on;
 * closing the engine closes all of them. Safe for use by many threads.
 */
public interface Engine extends AutoCloseable {
  /** Records, statistics, settings and events. */
  Store store();

  /** The job queue beside the records; empty: this engine has none. */
  Optional<JobQueue> jobs();

  /** Sends messages that commit with a transaction; empty: this engine has no transactions. */
  default Optional<Outbox> outbox() {
    return Optional.empty();
  }

  /**
   * Handles messages whose effects commit with a transaction; empty: this engine has no
   * transactions.
   */
  default Optional<Inbox> inbox() {
    return Optional.empty();
  }

  /**
   * Executes in a transaction that the caller has begun on this connection and will end; empty:
   * this engine has no transactions, or can't join one.
   */
  default Optional<GuardedExecutor> joining(Connection connection, Maintenance maintenance) {
    return Optional.empty();
  }

  @Override
  void close();
}
