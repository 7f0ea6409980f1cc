package dev.semel.jdbc.internal.engine;

import dev.semel.engine.spi.Engine;
import dev.semel.idempotency.GuardedExecutor;
import dev.semel.idempotency.Maintenance;
import dev.semel.idempotency.spi.Store;
import dev.semel.inbox.Inbox;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.JdbcJobs;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.jdbc.MariaDbStore;
import dev.semel.jdbc.OutboxSettings;
import dev.semel.jdbc.PostgresStore;
import dev.semel.jdbc.SqliteStore;
import dev.semel.jdbc.TransactionalIdempotency;
import dev.semel.job.spi.JobQueue;
import dev.semel.outbox.Outbox;
import java.sql.Connection;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One database with everything that Semel stores in it. */
final class JdbcEngine implements Engine {
  /** What differs between kinds of databases. */
  private record Parts(
      Supplier<JobQueue> jobs,
      Supplier<JdbcOutbox> outbox,
      Supplier<JdbcInbox> inbox,
      BiFunction<Maintenance, Connection, TransactionalIdempotency> joining) {}

  private final Store store;
  private final Parts parts;
  private final AutoCloseable source;
  private @Nullable JobQueue jobs;
  private @Nullable JdbcOutbox outbox;
  private @Nullable JdbcInbox inbox;

  private JdbcEngine(Store store, Parts parts, AutoCloseable source) {
    this.store = store;
    this.parts = parts;
    this.source = source;
  }

  static JdbcEngine of(SqliteStore store) {
    return new JdbcEngine(
        store,
        new Parts(
            () -> JdbcJobs.on(store),
            () -> JdbcOutbox.on(store, OutboxSettings.defaults()),
            () -> JdbcInbox.on(store),
            (maintenance, connection) ->
                TransactionalIdempotency.joining(store, maintenance, connection)),
        () -> {});
  }

  static JdbcEngine of(PostgresStore store, AutoCloseable source) {
    return new JdbcEngine(
        store,
        new Parts(
            () -> JdbcJobs.on(store),
            () -> JdbcOutbox.on(store, OutboxSettings.defaults()),
            () -> JdbcInbox.on(store),
            (maintenance, connection) ->
                TransactionalIdempotency.joining(store, maintenance, connection)),
        source);
  }

  static JdbcEngine of(MariaDbStore store, AutoCloseable source) {
    return new JdbcEngine(
        store,
        new Parts(
            () -> JdbcJobs.on(store),
            () -> JdbcOutbox.on(store, OutboxSettings.defaults()),
            () -> JdbcInbox.on(store),
            (maintenance, connection) ->
                TransactionalIdempotency.joining(store, maintenance, connection)),
        source);
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public synchronized Optional<JobQueue> jobs() {
    JobQueue open = jobs == null ? parts.jobs().get() : jobs;
    jobs = open;
    return Optional.of(open);
  }

  @Override
  public synchronized Optional<Outbox> outbox() {
    JdbcOutbox open = outbox == null ? parts.outbox().get() : outbox;
    outbox = open;
    return Optional.of(open);
  }

  @Override
  public synchronized Optional<Inbox> inbox() {
    JdbcInbox open = inbox == null ? parts.inbox().get() : inbox;
    inbox = open;
    return Optional.of(open);
  }

  @Override
  public Optional<GuardedExecutor> joining(Connection connection, Maintenance maintenance) {
    return Optional.of(parts.joining().apply(maintenance, connection).asOnce());
  }

  @Override
  @SuppressWarnings("try") // try-with-resources closes each, even if closing another one fails
  public synchronized void close() {
    try (AutoCloseable last = source;
        AutoCloseable third = store;
        AutoCloseable second = inbox;
        AutoCloseable first = outbox) {
      if (jobs != null) {
        jobs.close();
      }
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
