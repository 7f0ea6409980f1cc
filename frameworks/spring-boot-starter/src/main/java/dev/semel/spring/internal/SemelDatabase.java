package dev.semel.spring.internal;

import dev.semel.idempotency.GuardedExecutor;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.TimingListener;
import dev.semel.idempotency.spi.Store;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.jdbc.MariaDbStore;
import dev.semel.jdbc.OutboxSettings;
import dev.semel.jdbc.PostgresStore;
import dev.semel.jdbc.SchemaSetup;
import dev.semel.jdbc.TransactionalIdempotency;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.PlatformTransactionManager;

/** The application's DataSource as a store, outbox, inbox and for same-transaction mode. */
public final class SemelDatabase implements DatabaseStore {
  private final BoundConnections connections;
  private final Optional<PlatformTransactionManager> manager;
  private final String product;
  private final @Nullable PostgresStore postgres;
  private final @Nullable MariaDbStore mariaDb;

  public SemelDatabase(
      BoundConnections connections,
      SchemaSetup setup,
      Optional<PlatformTransactionManager> manager) {
    this.connections = connections;
    this.manager = manager;
    this.product = product(connections);
    String kind = product.toLowerCase(Locale.ROOT);
    this.postgres =
        kind.contains("postgres") ? PostgresStore.open(connections.source(), setup) : null;
    this.mariaDb = kind.contains("mariadb") ? MariaDbStore.open(connections.source(), setup) : null;
  }

  private static String product(BoundConnections connections) {
    try (Connection connection = connections.source().getConnection()) {
      return connection.getMetaData().getDatabaseProductName();
    } catch (SQLException e) {
      throw new UnusableStore(
          "the application's DataSource gives no connection: " + e.getMessage(),
          "See that the database of spring.datasource.url can be reached; or set semel.store to keep records elsewhere, such as sqlite:semel.db.",
          e);
    }
  }

  @Override
  public Store store() {
    if (postgres != null) {
      return postgres;
    }
    if (mariaDb != null) {
      return mariaDb;
    }
    throw new UnusableStore(
        "the application's DataSource is a database of the kind %s, which Semel does not know"
            .formatted(product),
        "Use PostgreSQL or MariaDB; or set semel.store to keep records elsewhere: memory: for tests, sqlite:semel.db on one machine, redis://host for many.");
  }

  /** Not on MariaDB: a session's lock would outlive the transaction that Spring ends. */
  @Override
  public Optional<GuardedExecutor> sameTransaction(
      Idempotency idempotency, Store used, TimingListener timings) {
    PostgresStore store = postgres;
    if (store == null || used != store || manager.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new SpringTransactions(
            manager.get(),
            connections,
            outer ->
                TransactionalIdempotency.on(store, idempotency.maintenance(), outer)
                    .with(timings)));
  }

  /** The outbox; empty: this kind of database has none. */
  public Optional<JdbcOutbox> outbox(OutboxSettings settings) {
    if (postgres != null) {
      return Optional.of(JdbcOutbox.on(postgres, settings));
    }
    return mariaDb == null ? Optional.empty() : Optional.of(JdbcOutbox.on(mariaDb, settings));
  }

  /** The inbox; empty: this kind of database has none. */
  public Optional<JdbcInbox> inbox() {
    if (postgres != null) {
      return Optional.of(JdbcInbox.on(postgres));
    }
    return mariaDb == null ? Optional.empty() : Optional.of(JdbcInbox.on(mariaDb));
  }

  public String product() {
    return product;
  }
}
