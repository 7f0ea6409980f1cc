package dev.semel.jdbc.internal.outbox;

import dev.semel.StoreException;
import dev.semel.jdbc.internal.inbox.HandlerCall;
import dev.semel.jdbc.internal.sqlite.GroupCommit;
import dev.semel.jdbc.internal.sqlite.SqliteFile;
import dev.semel.jdbc.internal.store.SqlEngine;
import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.outbox.spi.ReadRange;
import dev.semel.transport.Message;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;

/** The outbox in SQLite's SQL. One transaction writes at a time, so a row serves as the counter. */
public final class SqliteOutbox implements OutboxDialect {
  private static final String DRAW =
      "UPDATE semel_outbox_counter SET number = number + ? RETURNING number";

  private static final String INSERT =
      """
      INSERT INTO semel_outbox (place, %s, created_millis, attempts)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)"""
          .formatted(OutboxRows.MESSAGE);

  private static final String UNLESS_HELD =
      """
      (q.ordering_key IS NULL OR q.ordering_key NOT IN (SELECT value FROM json_each(?)))
      AND q.place NOT IN (SELECT value FROM json_each(?))""";

  private final ListedOutbox lists = new ListedOutbox(UNLESS_HELD, "?");
  private final SqliteFile file;
  private final InstantSource clock;

  public SqliteOutbox(SqliteFile file, InstantSource clock) {
    this.file = file;
    this.clock = clock;
  }

  @Override
  public void insert(Connection connection, List<Message> messages) throws SQLException {
    long number = lastOf(connection, messages.size()) - messages.size();
    long now = clock.millis();
    try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
      for (Message message : messages) {
        statement.setLong(1, QueuePlaces.base(message) + ++number);
        int at = MariaDbOutbox.bind(statement, 2, message);
        statement.setLong(at, now);
        statement.executeUpdate();
      }
    }
  }

  private static long lastOf(Connection connection, int numbers) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(DRAW)) {
      statement.setInt(1, numbers);
      try (ResultSet rs = statement.executeQuery()) {
        rs.next();
        return rs.getLong(1);
      }
    }
  }

  @Override
  public List<OutboxEntry> read(StatementCache db, List<ReadRange> slices, int limitEach)
      throws SQLException {
    return lists.read(db, slices, limitEach);
  }

  @Override
  public void delete(StatementCache db, List<Long> places) throws SQLException {
    lists.delete(db, places);
  }

  @Override
  public void keep(StatementCache db, List<Long> places) throws SQLException {
    lists.keep(db, places, clock.millis());
  }

  @Override
  public boolean keepsAtOnce() {
    return false;
  }

  @Override
  public String locking() {
    return "";
  }

  @Override
  public String lockingOthersSkipped() {
    return "";
  }

  @Override
  public void draw(StatementCache db, int numbers) throws SQLException {
    db.first(DRAW, rs -> rs.getLong(1), numbers);
  }

  /** The last row gets the last of the reserved numbers. */
  @Override
  public String next() {
    return "(SELECT number FROM semel_outbox_counter) + 1"
        + " - row_number() OVER (ORDER BY place DESC)";
  }

  @Override
  public String newId() {
    return "lower(hex(randomblob(16)))";
  }

  @Override
  public String comparable(String id) {
    return "CAST(" + id + " AS text)";
  }

  @Override
  public <R> R looking(SqlEngine engine, GroupCommit.Step<R> step) {
    return engine.read(
        AUDIT_FAILED,
        db -> {
          HandlerCall.execute(db.connection(), "PRAGMA query_only = ON");
          R result = step.run(db); // if this fails, the connection gets closed
          HandlerCall.execute(db.connection(), "PRAGMA query_only = OFF");
          return result;
        });
  }

  @Override
  public List<String> setUp() {
    return List.of();
  }

  @Override
  public List<String> takeDown() {
    return List.of();
  }

  @Override
  public StoreException fault(String what, SQLException e) {
    return file.fault(what, e);
  }

  @Override
  public boolean rings() {
    return false;
  }
}
