package dev.semel.jdbc;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Claim;
import dev.semel.idempotency.ClaimRequest;
import dev.semel.idempotency.Counts;
import dev.semel.idempotency.Ending;
import dev.semel.idempotency.Existing;
import dev.semel.idempotency.IdempotencyStore;
import dev.semel.idempotency.KeyCatalog;
import dev.semel.idempotency.StatisticsStore;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/** Records on a server, whichever it is. */
final class ServerStore implements IdempotencyStore, KeyCatalog, StatisticsStore {
  private final Dialect sql;
  private final Sessions sessions;
  private final ServerRecords records;
  private final ServerKeys keys;

  private ServerStore(Dialect sql, Sessions sessions) {
    this.sql = sql;
    this.sessions = sessions;
    this.records = new ServerRecords(sql);
    this.keys = new ServerKeys(sql);
  }

  static ServerStore open(DataSource source, Dialect sql, SchemaSetup setup) {
    Sessions sessions = new Sessions(source, sql.faults());
    sessions.prepare(sql, setup);
    return new ServerStore(sql, sessions);
  }

  Sessions sessions() {
    return sessions;
  }

  @Override
  public Claim claim(ClaimRequest request) {
    return sessions.run("the claim failed", db -> records.claim(db, request));
  }

  @Override
  public boolean renew(Key key, Token token, Duration lease) {
    return sessions.run("the renewal failed", db -> records.renew(db, key, token, lease));
  }

  @Override
  public boolean complete(Key key, Token token, Ending ending, Duration retention) {
    return sessions.run(
        "the completion failed", db -> records.complete(db, key, token, ending, retention));
  }

  @Override
  public boolean release(Key key, Token token) {
    return sessions.run("the release failed", db -> records.release(db, key, token));
  }

  @Override
  public Optional<Existing> find(Key key) {
    return sessions.run("the look-up failed", db -> records.find(db, key)).filter(Rows::live);
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
  public int purge(int limit) {
    return Rows.inParts(
        limit, part -> sessions.run("the purge failed", db -> keys.purge(db, part)));
  }

  @Override
  public Usage usage() {
    return sessions.run("the usage is unknown", keys::usage);
  }

  @Override
  public void add(Map<Scope, Counts> deltas) {
    List<CountRows.Row> rows = CountRows.of(deltas);
    sessions.run(
        "the statistics were not added",
        db -> {
          sql.add(db, rows);
          return rows.size();
        });
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
}
