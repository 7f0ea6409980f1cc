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
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
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
  /** One statement, so that a delta is added wholly or not at all. */
  private static final String ADD =
      """
      INSERT INTO semel_statistics AS s (tenant, operation, counter, value)
      SELECT * FROM unnest(?::text[], ?::text[], ?::text[], ?::bigint[])
      ON CONFLICT (tenant, operation, counter) DO UPDATE SET value = s.value + excluded.value""";

  private final PostgresSessions sessions;

  private PostgresStore(PostgresSessions sessions) {
    this.sessions = sessions;
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
    PostgresSessions sessions = new PostgresSessions(source);
    sessions.prepare(setup);
    return new PostgresStore(sessions);
  }

  /** The statements that create the tables, for {@link SchemaSetup#CHECK}. */
  public static String ddl() {
    return Schema.POSTGRESQL.ddl();
  }

  @Override
  public Claim claim(ClaimRequest request) {
    return sessions.run("the claim failed", db -> PostgresRecords.claim(db, request));
  }

  @Override
  public boolean renew(Key key, Token token, Duration lease) {
    return sessions.run("the renewal failed", db -> PostgresRecords.renew(db, key, token, lease));
  }

  @Override
  public boolean complete(Key key, Token token, Ending ending, Duration retention) {
    return sessions.run(
        "the completion failed", db -> PostgresRecords.complete(db, key, token, ending, retention));
  }

  @Override
  public boolean release(Key key, Token token) {
    return sessions.run("the release failed", db -> PostgresRecords.release(db, key, token));
  }

  @Override
  public Optional<Existing> find(Key key) {
    return sessions
        .run("the look-up failed", db -> PostgresRecords.find(db, key))
        .filter(Rows::live);
  }

  @Override
  public Page list(String prefix, String cursor, int limit) {
    if (!KeyRange.canMatch(prefix) || !KeyRange.canMatch(cursor)) {
      return new Page(List.of(), "");
    }
    int size = Math.clamp(limit, 1, MAX_PAGE);
    return sessions.run("the listing failed", db -> PostgresKeys.list(db, prefix, cursor, size));
  }

  @Override
  public boolean forceRelease(Key key) {
    return sessions.run("the forced release failed", db -> PostgresKeys.forceRelease(db, key));
  }

  @Override
  public boolean delete(Key key) {
    return sessions.run("the deletion failed", db -> PostgresKeys.delete(db, key));
  }

  @Override
  public int purge(int limit) {
    return Rows.inParts(
        limit, part -> sessions.run("the purge failed", db -> PostgresKeys.purge(db, part)));
  }

  @Override
  public Usage usage() {
    return sessions.run("the usage is unknown", PostgresKeys::usage);
  }

  @Override
  public void add(Map<Scope, Counts> deltas) {
    List<CountRows.Row> rows = CountRows.of(deltas);
    sessions.run(
        "the statistics were not added",
        db -> {
          Connection connection = db.connection();
          return db.update(
              ADD,
              array(connection, "text", rows, CountRows.Row::tenant),
              array(connection, "text", rows, CountRows.Row::operation),
              array(connection, "text", rows, CountRows.Row::counter),
              array(connection, "bigint", rows, CountRows.Row::value));
        });
  }

  private static Array array(
      Connection connection,
      String type,
      List<CountRows.Row> rows,
      Function<CountRows.Row, Object> column)
      throws SQLException {
    return connection.createArrayOf(type, rows.stream().map(column).toArray());
  }

  @Override
  public Map<Scope, Counts> read() {
    return sessions.run(
        "the statistics were not read",
        db -> {
          try (ResultSet rs = db.query(CountRows.READ)) {
            return CountRows.read(rs);
          }
        });
  }

  @Override
  public void reset() {
    sessions.run("the statistics were not reset", db -> db.update(CountRows.RESET));
  }

  PostgresSessions sessions() {
    return sessions;
  }
}
