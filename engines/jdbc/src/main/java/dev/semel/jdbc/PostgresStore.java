package dev.semel.jdbc;

import dev.semel.StoreException;
import dev.semel.event.spi.EventStore;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.SettingsStore;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.jdbc.internal.inbox.InboxEngine;
import dev.semel.jdbc.internal.inbox.InboxPartitionTables;
import dev.semel.jdbc.internal.inbox.ServerInbox;
import dev.semel.jdbc.internal.store.PostgresDialect;
import dev.semel.jdbc.internal.store.ServerStore;
import dev.semel.jdbc.internal.store.SqlDialect;
import dev.semel.jdbc.internal.transaction.EngineTransactions;
import dev.semel.jdbc.internal.transaction.OuterPostgresTransactions;
import dev.semel.jdbc.internal.transaction.PostgresTransaction;
import dev.semel.jdbc.internal.transaction.ServerTransactions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;

/**
 * A store of idempotency records in PostgreSQL, for applications that share a database. The
 * server's clock decides. Each step of an execution is one auto-committed statement; a takeover
 * needs a few. A granted claim is as durable as the server's {@code synchronous_commit} makes it.
 *
 * <p>Connections come from the given source, one per call, and go back without a transaction on
 * them. Safe for many threads; many processes share the tables.
 */
public final class PostgresStore implements Store {
  private static final SqlDialect SQL = new PostgresDialect();

  private final ServerStore server;

  private PostgresStore(ServerStore server) {
    this.server = server;
  }

  /** Opens the store, and creates missing tables in the first schema of the search path. */
  public static PostgresStore open(DataSource source) {
    return open(source, SchemaSetup.CREATE);
  }

  /**
   * Opens the store, and creates missing tables or only checks them, as {@code setup} says.
   *
   * @throws StoreException when the database is unreachable, or its tables are from a newer version
   */
  public static PostgresStore open(DataSource source, SchemaSetup setup) {
    return new PostgresStore(ServerStore.open(source, SQL, setup));
  }

  /** The statements that create the tables, for {@link SchemaSetup#CHECK}. */
  public static String ddl() {
    return SQL.schema().ddl();
  }

  /**
   * The statements that migrate tables from that version to the current one, for {@link
   * SchemaSetup#CHECK}; 0: no tables exist.
   */
  public static String ddl(int from) {
    return SQL.schema().ddl(from);
  }

  /** The version of the tables that this release creates. */
  public static int schemaVersion() {
    return SQL.schema().newest();
  }

  /**
   * The statements that convert an existing inbox into a partitioned one, for database
   * administrators when the program may not change tables. Run them in one transaction. {@link
   * InboxPartitions} creates and drops the partitions afterwards.
   */
  public static String inboxPartitioningDdl(Duration width) {
    InboxPartitionSettings checked = new InboxPartitionSettings(width, 1, width);
    return "BEGIN;\n"
        + String.join(";\n", InboxPartitionTables.convert(checked.width()))
        + ";\nCOMMIT;\n";
  }

  ServerStore server() {
    return server;
  }

  EngineTransactions transactions() {
    return new ServerTransactions(
        server.sessions(),
        (connection, key, token) -> PostgresTransaction.begin(connection, SQL, key, token));
  }

  EngineTransactions transactions(OuterTransactions outers) {
    return new OuterPostgresTransactions(transactions(), outers, SQL);
  }

  InboxEngine inbox() {
    return ServerInbox.postgres(server.sessions(), SQL);
  }

  @Override
  public String describe() {
    return server.describe();
  }

  @Override
  public IdempotencyStore idempotency() {
    return server;
  }

  @Override
  public KeyCatalog catalog() {
    return server;
  }

  @Override
  public StatisticsStore statistics() {
    return server.statistics();
  }

  @Override
  public SettingsStore settings() {
    return server.settings();
  }

  @Override
  public EventStore events() {
    return server.events();
  }

  @Override
  public Instant now() {
    return server.now();
  }

  @Override
  public List<String> hazards() {
    return server.hazards();
  }

  @Override
  public List<String> setUp() {
    return server.setUp();
  }

  /** The source owns the connections, so there is nothing to close. */
  @Override
  public void close() {}
}
