package dev.semel.jdbc.internal.transaction;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.internal.Ids;
import dev.semel.jdbc.internal.store.MariaDbDialect;
import dev.semel.jdbc.internal.store.MariaDbFaults;
import dev.semel.jdbc.internal.store.RecordRows;
import dev.semel.jdbc.internal.store.ServerRecords;
import dev.semel.jdbc.internal.store.SqlDialect;
import dev.semel.jdbc.internal.transaction.EngineTransactions.Seen;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One transaction of same-transaction mode on MariaDB. It holds a named lock on the key, so
 * concurrent duplicates learn at once that it is in flight. The lock belongs to the session instead
 * of the transaction, so it is released after the end; a lost session loses it too. See
 * docs/decisions/008.
 */
public final class MariaDbTransaction implements EngineTransactions.Transaction {
  private static final String LOCK =
      "SELECT GET_LOCK(n.name, 0), n.name FROM (SELECT " + MariaDbDialect.LOCK_NAME + " AS name) n";

  private static final String UNLOCK = "SELECT RELEASE_LOCK(?)";

  /**
   * This savepoint exists exactly as long as its transaction, so it shows whether the transaction
   * is still the same.
   */
  private static final String START = "semel_start";

  /** A second savepoint at the same place, for when the first is gone and the record is refused. */
  private static final String UNDO = "_undo";

  /** Reads the latest commit, whatever the transaction's snapshot is. */
  private static final String LATEST = " LOCK IN SHARE MODE";

  /** Replaces the record that was seen, or an expired one. */
  private static final String REPLACE =
      """
      UPDATE semel_idempotency SET state = ?, token = ?, attempt = ?, fingerprint = ?,
        request_id = ?, claimed_at = UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND,
        lease_until = UTC_TIMESTAMP(6), expires_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND,
        ended_at = UTC_TIMESTAMP(6), retention = ?, payload_type = ?, payload = ?
      WHERE `key` = ? AND (expires_at <= UTC_TIMESTAMP(6) OR (token = ? AND state = ?
        AND (state = 'R' OR (state = 'P' AND lease_until <= UTC_TIMESTAMP(6)))))""";

  /** Returns the token of the record that exists afterwards. */
  private static final String INSERT =
      """
      INSERT INTO semel_idempotency (state, token, attempt, fingerprint, request_id, claimed_at,
        lease_until, expires_at, ended_at, retention, payload_type, payload, `key`)
      VALUES (?, ?, ?, ?, ?, UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND, UTC_TIMESTAMP(6),
        UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND, UTC_TIMESTAMP(6), ?, ?, ?, ?)
      ON DUPLICATE KEY UPDATE attempt = attempt RETURNING token""";

  private final BorrowedConnection borrowed;
  private final Connection session;
  private final Lock lock;
  private final Seen seen;
  private final String start;
  private final long begunNanos = System.nanoTime();
  private boolean closed;

  /** Whether the lock was granted, and its full name on the server. */
  private record Lock(boolean had, String name) {}

  private MariaDbTransaction(
      BorrowedConnection borrowed, Connection session, Lock lock, Seen seen, String start) {
    this.borrowed = borrowed;
    this.session = session;
    this.lock = lock;
    this.seen = seen;
    this.start = start;
  }

  /**
   * Begins. Reads the record before the transaction: a read inside could use a snapshot from before
   * the lock, or lock the gap for other keys' inserts.
   */
  public static MariaDbTransaction begin(
      BorrowedConnection borrowed, SqlDialect sql, Key key, Token token) throws SQLException {
    Connection connection = borrowed.connection();
    connection.setAutoCommit(true);
    Lock lock = lock(connection, key);
    Seen seen = look(connection, sql, key, lock, "");
    if (lock.had()) {
      connection.setAutoCommit(false);
      execute(connection, "SAVEPOINT " + START);
    }
    // The work may close a pool's connection; the physical one behind it stays usable.
    Connection session = connection.unwrap(Connection.class);
    return new MariaDbTransaction(borrowed, session, lock, seen, START);
  }

  /**
   * Begins inside an existing transaction. The lock is released when the execution ends, before the
   * transaction does, so another execution may get it in between; that one waits for the record.
   *
   * @param again whether another execution was in between, so that its record must be read
   */
  static MariaDbTransaction within(Connection connection, SqlDialect sql, Key key, boolean again)
      throws SQLException {
    Lock lock = lock(connection, key);
    String start = START + "_" + Ids.uuid7().toString().replace("-", "");
    MariaDbTransaction begun = null;
    try {
      // Locks no gap: without {@code again} the read takes no lock, with it the record exists.
      Seen seen = look(connection, sql, key, lock, again ? LATEST : "");
      execute(connection, "SAVEPOINT " + start + UNDO);
      execute(connection, "SAVEPOINT " + start);
      begun =
          new MariaDbTransaction(BorrowedConnection.of(connection), connection, lock, seen, start);
      return begun;
    } finally {
      if (begun == null) {
        unlock(connection, lock);
      }
    }
  }

  /** Undoes unrecorded work and releases the lock; the transaction continues. */
  void leave(boolean recorded) throws SQLException {
    try {
      if (!connection().isClosed() && !connection().getAutoCommit()) {
        if (!recorded) {
          execute(connection(), "ROLLBACK TO SAVEPOINT " + start + UNDO);
        }
        execute(connection(), "RELEASE SAVEPOINT " + start + UNDO);
      }
    } finally {
      unlock();
    }
  }

  private static Lock lock(Connection connection, Key key) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(LOCK)) {
      RecordRows.bind(statement, key.text());
      try (ResultSet rs = statement.executeQuery()) {
        rs.next();
        return new Lock(rs.getBoolean(1), rs.getString(2));
      }
    }
  }

  private static Seen look(Connection connection, SqlDialect sql, Key key, Lock lock, String how)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql.find() + how)) {
      RecordRows.bind(statement, key.text());
      try (ResultSet rs = statement.executeQuery()) {
        return new Seen(
            lock.had(),
            rs.next() ? Optional.of(ServerRecords.existing(sql, rs)) : Optional.empty());
      }
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public Seen seen() {
    return seen;
  }

  @Override
  public Connection connection() {
    return borrowed.connection();
  }

  /** The savepoint already marks the beginning. */
  @Override
  public void markStart() {}

  @Override
  public void undoWork() throws SQLException {
    requireSame("ROLLBACK TO SAVEPOINT " + start);
  }

  /** Fails when the transaction was replaced: only the original one has the savepoint. */
  private void requireSame(String statement) throws SQLException {
    borrowed.requireOpen();
    try {
      execute(connection(), statement);
    } catch (SQLException e) {
      if (e.getErrorCode() == MariaDbFaults.NO_SUCH_SAVEPOINT) {
        throw new IllegalStateException(
            "the work ended its transaction, so what it wrote may be committed without a record: let it not commit, roll back or define tables (MariaDB commits before it does), and let a deadlock's error pass",
            e);
      }
      throw e;
    }
  }

  @Override
  public boolean record(ClaimRequest claim, int attempt, ExecutionEnd ending) throws SQLException {
    requireSame("RELEASE SAVEPOINT " + start);
    return (seen.existing().isPresent() && replace(claim, attempt, ending, seen.existing().get()))
        || insert(claim, attempt, ending);
  }

  private boolean replace(
      ClaimRequest claim, int attempt, ExecutionEnd ending, StoredRecord existing)
      throws SQLException {
    try (PreparedStatement statement = connection().prepareStatement(REPLACE)) {
      List<Object> values = new ArrayList<>(values(claim, attempt, ending));
      values.add(RecordRows.bytes(existing.token()));
      values.add(RecordRows.code(existing.state()));
      RecordRows.bind(statement, values.toArray());
      return statement.executeUpdate() == 1;
    }
  }

  private boolean insert(ClaimRequest claim, int attempt, ExecutionEnd ending) throws SQLException {
    try (PreparedStatement statement = connection().prepareStatement(INSERT)) {
      RecordRows.bind(statement, values(claim, attempt, ending).toArray());
      try (ResultSet rs = statement.executeQuery()) {
        rs.next();
        return RecordRows.token(rs.getBytes(1)).equals(claim.token());
      }
    }
  }

  private List<Object> values(ClaimRequest claim, int attempt, ExecutionEnd ending) {
    long retention = ServerRecords.micros(claim.retention());
    return List.of(
        RecordRows.code(ending.state()),
        RecordRows.bytes(claim.token()),
        attempt,
        claim.fingerprint().text(),
        claim.requestId(),
        ServerRecords.micros(Duration.ofNanos(System.nanoTime() - begunNanos)),
        retention,
        retention,
        ending.payload().type(),
        ending.payload().bytes(),
        claim.key().text());
  }

  @Override
  public void commit() throws SQLException {
    borrowed.commit();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    borrowed.giveBack(this::unlock);
  }

  private void unlock() throws SQLException {
    unlock(session, lock);
  }

  private static void unlock(Connection session, Lock lock) throws SQLException {
    if (lock.had()) {
      try (PreparedStatement statement = session.prepareStatement(UNLOCK)) {
        RecordRows.bind(statement, lock.name());
        statement.execute();
      }
    }
  }
}
