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
 * Records on PostgreSQL. The clock is the server's. A step of an execution is one statement that
 * commits by itself, a claim that takes a record over a few; a grant is as durable as the server's
 * {@code synchronous_commit} makes it.
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

  /** Creates the tables where they are missing, in the first schema of the search path. */
  public static PostgresStore open(DataSource source) {
    return open(source, SchemaSetup.CREATE);
  }

  /**
   * The same, with a choice about the tables.
   *
   * @throws StoreException when the database can't be asked, or belongs to a newer program
   */
  public static PostgresStore open(DataSource source, SchemaSetup setup) {
    return new PostgresStore(ServerStore.open(source, SQL, setup));
  }

  /** The statements that create the tables, for {@link SchemaSetup#CHECK}. */
  public static String ddl() {
    return SQL.schema().ddl();
  }

  /**
   * The statements that bring tables of that version up to date, for {@link SchemaSetup#CHECK}; 0:
   * there are none yet.
   */
  public static String ddl(int from) {
    return SQL.schema().ddl(from);
  }

  /** The version of the tables that this program makes. */
  public static int schemaVersion() {
    return SQL.schema().newest();
  }

  /**
   * The statements that partition an inbox which is there, for who may not do so from a program;
   * all in one transaction. {@link InboxPartitions} makes and drops the partitions.
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

  /** Connections belong to the source. */
  @Override
  public void close() {}
}
