package dev.semel.jdbc.internal.store;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.event.spi.EventStore;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.idempotency.spi.RecordImport;
import dev.semel.idempotency.spi.SettingsStore;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.jdbc.SchemaSetup;
import dev.semel.jdbc.internal.sqlite.GroupCommit;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** Records on any database server. */
public final class ServerStore implements Store, IdempotencyStore, KeyCatalog, SqlEngine {
  private final SqlDialect sql;
  private final SqlSessions sessions;
  private final ServerRecords records;
  private final ServerKeys keys;
  private final ServerAdoption adoption;
  private final SqlStatistics statistics;
  private final SqlSettings settings = new SqlSettings(this);
  private final SqlEvents events = new SqlEvents(this);
  private final String description;

  private ServerStore(SqlDialect sql, SqlSessions sessions) {
    this.sql = sql;
    this.sessions = sessions;
    this.records = new ServerRecords(sql);
    this.keys = new ServerKeys(sql);
    this.adoption = new ServerAdoption(sql, records);
    this.statistics = new SqlStatistics(this);
    this.description = sessions.describe();
  }

  public static ServerStore open(DataSource source, SqlDialect sql, SchemaSetup setup) {
    SqlSessions sessions = new SqlSessions(source, sql.faults());
    sessions.prepare(sql, setup);
    return new ServerStore(sql, sessions);
  }

  public SqlSessions sessions() {
    return sessions;
  }

  @Override
  public ClaimResult claim(ClaimRequest request) {
    return sessions.run("the claim failed", db -> records.claim(db, request));
  }

  @Override
  public boolean renew(Key key, Token token, Duration lease) {
    return sessions.run("the renewal failed", db -> records.renew(db, key, token, lease));
  }

  @Override
  public boolean complete(Key key, Token token, ExecutionEnd ending, Duration retention) {
    return sessions.run(
        "the completion failed", db -> records.complete(db, key, token, ending, retention));
  }

  @Override
  public boolean release(Key key, Token token) {
    return sessions.run("the release failed", db -> records.release(db, key, token));
  }

  @Override
  public Optional<StoredRecord> find(Key key) {
    return sessions.run("the look-up failed", db -> records.find(db, key)).filter(RecordRows::live);
  }

  @Override
  public Page list(String prefix, String cursor, int limit) {
    if (!KeyRange.canMatch(prefix) || !KeyRange.canMatch(cursor)) {
      return new Page(List.of(), "");
    }
    int size = Math.clamp(limit, 1, MAX_PAGE);
    return sessions.run("the listing failed", db -> keys.list(db, prefix, cursor, size));
  }

  @Override
  public boolean forceRelease(Key key) {
    return sessions.run("the forced release failed", db -> keys.forceRelease(db, key));
  }

  @Override
  public boolean delete(Key key) {
    return sessions.run("the deletion failed", db -> keys.delete(db, key));
  }

  @Override
  public RecordImport adopt(KeyEntry entry) {
    return sessions.run("the record was not taken in", db -> adoption.adopt(db, entry));
  }

  @Override
  public int purge(int limit) {
    return RecordRows.inParts(
        limit, part -> sessions.run("the purge failed", db -> keys.purge(db, part)));
  }

  @Override
  public int ended(int limit) {
    return sessions.run("what has ended is unknown", db -> keys.ended(db, limit));
  }

  @Override
  public Usage usage() {
    return sessions.run("the usage is unknown", keys::usage);
  }

  @Override
  public <R> R write(String what, GroupCommit.Step<R> step) {
    return sessions.transact(what, step);
  }

  @Override
  public <R> R read(String what, GroupCommit.Step<R> step) {
    return sessions.run(what, step);
  }

  @Override
  public long nowMillis(StatementCache db) throws SQLException {
    return db.first(sql.now(), rs -> rs.getLong(1)).orElseThrow();
  }

  @Override
  public String adding(String table, String key) {
    return sql.adding(table, key);
  }

  @Override
  public String describe() {
    return description;
  }

  @Override
  public IdempotencyStore idempotency() {
    return this;
  }

  @Override
  public KeyCatalog catalog() {
    return this;
  }

  @Override
  public StatisticsStore statistics() {
    return statistics;
  }

  @Override
  public SettingsStore settings() {
    return settings;
  }

  @Override
  public EventStore events() {
    return events;
  }

  @Override
  public Instant now() {
    return Instant.ofEpochMilli(sessions.run("the clock is unknown", this::nowMillis));
  }

  @Override
  public List<String> hazards() {
    return sessions.run("the server's settings are unknown", sql::hazards);
  }

  @Override
  public List<String> setUp() {
    return sessions.run(
        "the version of the tables is unknown", db -> List.of(sql.schema().setUp(db.connection())));
  }

  /** The source owns the connections, so there is nothing to close. */
  @Override
  public void close() {}
}
