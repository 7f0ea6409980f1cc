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
 * One transaction of same-transaction mode on MariaDB: a named lock on the key tells concurrent
 * duplicates at once that they are late. It is the session's and not the transaction's, so it is
 * given back after the end; a session that is lost loses it too. See docs/decisions/008.
 */
public final class MariaDbTransaction implements EngineTransactions.Transaction {
  private static final String LOCK =
      "SELECT GET_LOCK(n.name, 0), n.name FROM (SELECT " + MariaDbDialect.LOCK_NAME + " AS name) n";

  private static final String UNLOCK = "SELECT RELEASE_LOCK(?)";

  /** Outlives nothing but the transaction, and so tells later whether it is still the same. */
  private static final String START = "semel_start";

  /** A second mark of the same place, for when the first is gone and the record is refused. */
  private static final String UNDO = "_undo";

  /** Sees what was committed last, whatever the transaction has seen before. */
  private static final String LATEST = " LOCK IN SHARE MODE";

  /** In place of the record that was seen, or of one whose time is over. */
  private static final String REPLACE =
      """
      UPDATE semel_idempotency SET state = ?, token = ?, attempt = ?, fingerprint = ?,
        request_id = ?, claimed_at = UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND,
        lease_until = UTC_TIMESTAMP(6), expires_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND,
        ended_at = UTC_TIMESTAMP(6), retention = ?, payload_type = ?, payload = ?
      WHERE `key` = ? AND (expires_at <= UTC_TIMESTAMP(6) OR (token = ? AND state = ?
        AND (state = 'R' OR (state = 'P' AND lease_until <= UTC_TIMESTAMP(6)))))""";

  /** Gives back whose record is there then. */
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

  /** What was asked for, under the name that the server's database gave it. */
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
   * Begins. The look comes before the transaction: within one it might see what a snapshot of
   * before the lock shows, or lock the gap that other keys are inserted into.
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
    // A pool's connection that the work closes can't be asked any more; the one behind it can.
    Connection session = connection.unwrap(Connection.class);
    return new MariaDbTransaction(borrowed, session, lock, seen, START);
  }

  /**
   * Begins within a transaction that is there. The lock is given back when the execution is over
   * and the transaction is not, so another may come in between; it waits for the record then.
   *
   * @param again whether another did, so that its record is there to be read
   */
  static MariaDbTransaction within(Connection connection, SqlDialect sql, Key key, boolean again)
      throws SQLException {
    Lock lock = lock(connection, key);
    String start = START + "_" + Ids.uuid7().toString().replace("-", "");
    MariaDbTransaction begun = null;
    try {
      // No gap is locked: either it is not there and nobody looks for it so, or it is.
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

  /** Undoes what was not recorded, and gives the lock back; the transaction goes on. */
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

  /** The beginning is marked already. */
  @Override
  public void markStart() {}

  @Override
  public void undoWork() throws SQLException {
    requireSame("ROLLBACK TO SAVEPOINT " + start);
  }

  /** Only the transaction that set the mark knows it. */
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
