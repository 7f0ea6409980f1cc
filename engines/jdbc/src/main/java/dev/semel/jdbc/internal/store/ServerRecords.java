package dev.semel.jdbc.internal.store;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.jdbc.internal.store.SqlDialect.Found;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** The steps of an execution on a server, one auto-committed statement each. */
public final class ServerRecords {
  /** How often a claim retries because the record changed between its read and its write. */
  static final int MAX_CLAIM_TRIES = 50;

  private final SqlDialect sql;

  ServerRecords(SqlDialect sql) {
    this.sql = sql;
  }

  public static long micros(Duration d) {
    return d.toNanos() / 1000;
  }

  ClaimResult claim(StatementCache db, ClaimRequest request) throws SQLException {
    for (int tries = 0; tries < MAX_CLAIM_TRIES; tries++) {
      Found found = sql.insertOrFind(db, request);
      if (found.inserted()) {
        return new ClaimResult.Granted(request.token(), 1, false);
      }
      if (found.existing().isEmpty()) {
        continue; // the other claim committed after this statement's snapshot
      }
      StoredRecord seen = found.existing().get();
      switch (RecordRows.decide(seen, request)) {
        case StoredRecord.Decision.Answer answer -> {
          return answer.claim();
        }
        case StoredRecord.Decision.Take take -> {
          if (take(db, request, seen, take.attempt())) {
            return new ClaimResult.Granted(request.token(), take.attempt(), take.takenOver());
          }
        }
      }
    }
    throw new StoreException(
        "nothing was claimed: the key changed hands %d times while it was asked for: ask again"
            .formatted(MAX_CLAIM_TRIES));
  }

  private boolean take(StatementCache db, ClaimRequest request, StoredRecord seen, int attempt)
      throws SQLException {
    long retention = micros(request.retention());
    int taken =
        db.update(
            sql.take(),
            sql.value(request.token()),
            attempt,
            request.fingerprint().text(),
            request.requestId(),
            micros(request.lease()),
            retention,
            retention,
            request.key().text(),
            sql.value(seen.token()),
            RecordRows.code(seen.state()));
    return taken == 1;
  }

  /** Finds the record, even if its retention ended. */
  Optional<StoredRecord> find(StatementCache db, Key key) throws SQLException {
    return db.first(sql.find(), rs -> existing(sql, rs), key.text());
  }

  public static StoredRecord existing(SqlDialect sql, ResultSet rs) throws SQLException {
    return RecordRows.existing(rs, sql.token(rs), ChronoUnit.MICROS);
  }

  boolean renew(StatementCache db, Key key, Token token, Duration lease) throws SQLException {
    return db.update(sql.renew(), micros(lease), micros(lease), key.text(), sql.value(token)) == 1;
  }

  boolean complete(StatementCache db, Key key, Token token, ExecutionEnd ending, Duration retention)
      throws SQLException {
    int completed =
        db.update(
            sql.complete(),
            RecordRows.code(ending.state()),
            ending.payload().type(),
            ending.payload().bytes(),
            micros(retention),
            micros(retention),
            key.text(),
            sql.value(token));
    return completed == 1 || state(db, key, token).map(RecordState::ended).orElse(false);
  }

  boolean release(StatementCache db, Key key, Token token) throws SQLException {
    return db.update(sql.release(), key.text(), sql.value(token)) == 1
        || state(db, key, token).map(s -> s == RecordState.RELEASED).orElse(false);
  }

  /**
   * The state of the record that this token wrote last: a step may be repeated. A separate
   * statement, because only a new snapshot sees what the update waited for.
   */
  private Optional<RecordState> state(StatementCache db, Key key, Token token) throws SQLException {
    return db.first(
        sql.state(), rs -> RecordState.of(rs.getString(1).charAt(0)), key.text(), sql.value(token));
  }
}
