package dev.semel.jdbc;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.Claim;
import dev.semel.idempotency.ClaimRequest;
import dev.semel.idempotency.Counts;
import dev.semel.idempotency.Ending;
import dev.semel.idempotency.Existing;
import dev.semel.idempotency.IdempotencyStore;
import dev.semel.idempotency.KeyCatalog;
import dev.semel.idempotency.StatisticsStore;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Records on PostgreSQL. The clock is the server's. Every call is one statement that commits by
 * itself, a claim that takes a record over a few; a grant is as durable as the server's {@code
 * synchronous_commit} makes it.
 *
 * <p>Connections come from the given source, one per call, and go back without a transaction on
 * them. Safe for many threads; many processes share the tables.
 */
public final class PostgresStore implements IdempotencyStore, KeyCatalog, StatisticsStore {
  private static final Dialect SQL = new PostgresDialect();

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

  Transactions transactions() {
    return new ServerTransactions(
        server.sessions(),
        (connection, key, token) -> PostgresTransaction.begin(connection, SQL, key, token));
  }

  @Override
  public Claim claim(ClaimRequest request) {
    return server.claim(request);
  }

  @Override
  public boolean renew(Key key, Token token, Duration lease) {
    return server.renew(key, token, lease);
  }

  @Override
  public boolean complete(Key key, Token token, Ending ending, Duration retention) {
    return server.complete(key, token, ending, retention);
  }

  @Override
  public boolean release(Key key, Token token) {
    return server.release(key, token);
  }

  @Override
  public Optional<Existing> find(Key key) {
    return server.find(key);
  }

  @Override
  public Page list(String prefix, String cursor, int limit) {
    return server.list(prefix, cursor, limit);
  }

  @Override
  public boolean forceRelease(Key key) {
    return server.forceRelease(key);
  }

  @Override
  public boolean delete(Key key) {
    return server.delete(key);
  }

  @Override
  public int purge(int limit) {
    return server.purge(limit);
  }

  @Override
  public Usage usage() {
    return server.usage();
  }

  @Override
  public void add(Map<Scope, Counts> deltas) {
    server.add(deltas);
  }

  @Override
  public Map<Scope, Counts> read() {
    return server.read();
  }

  @Override
  public void reset() {
    server.reset();
  }
}
