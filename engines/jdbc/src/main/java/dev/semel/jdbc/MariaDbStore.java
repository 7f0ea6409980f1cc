package dev.semel.jdbc;

import dev.semel.StoreException;
import dev.semel.event.spi.EventStore;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.SettingsStore;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.jdbc.internal.inbox.InboxEngine;
import dev.semel.jdbc.internal.inbox.ServerInbox;
import dev.semel.jdbc.internal.store.MariaDbDialect;
import dev.semel.jdbc.internal.store.ServerStore;
import dev.semel.jdbc.internal.store.SqlDialect;
import dev.semel.jdbc.internal.transaction.EngineTransactions;
import dev.semel.jdbc.internal.transaction.JoinedMariaDb;
import dev.semel.jdbc.internal.transaction.MariaDbTransaction;
import dev.semel.jdbc.internal.transaction.ServerTransactions;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;

/**
 * A store of idempotency records in MariaDB 10.6 or newer, in InnoDB, for applications that share a
 * database. The server's clock decides. Each step of an execution is one auto-committed statement;
 * a takeover needs two. A granted claim is as durable as the server's {@code
 * innodb_flush_log_at_trx_commit} makes it.
 *
 * <p>Connections come from the given source, one per call, and go back unchanged: any setting of
 * automatic commits, {@code sql_mode} and time zone works. Safe for many threads; many processes
 * share the tables.
 */
public final class MariaDbStore implements Store {
  private static final SqlDialect SQL = new MariaDbDialect();

  private final ServerStore server;

  private MariaDbStore(ServerStore server) {
    this.server = server;
  }

  /** Opens the store, and creates missing tables in the connections' database. */
  public static MariaDbStore open(DataSource source) {
    return open(source, SchemaSetup.CREATE);
  }

  /**
   * Opens the store, and creates missing tables or only checks them, as {@code setup} says.
   *
   * @throws StoreException when the database is unreachable, or its tables are from a newer version
   */
  public static MariaDbStore open(DataSource source, SchemaSetup setup) {
    return new MariaDbStore(ServerStore.open(source, SQL, setup));
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

  ServerStore server() {
    return server;
  }

  EngineTransactions transactions() {
    return new ServerTransactions(
        server.sessions(),
        (connection, key, token) -> MariaDbTransaction.begin(connection, SQL, key, token));
  }

  EngineTransactions joining(Connection connection) {
    return new JoinedMariaDb(transactions(), connection, SQL);
  }

  InboxEngine inbox() {
    return ServerInbox.mariaDb(server.sessions(), SQL);
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
