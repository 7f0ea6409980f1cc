package dev.semel.jdbc.internal.outbox;

import dev.semel.StoreException;
import dev.semel.jdbc.internal.sqlite.GroupCommit;
import dev.semel.jdbc.internal.store.SqlEngine;
import dev.semel.jdbc.internal.store.SqlFaults;
import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.outbox.spi.ReadRange;
import dev.semel.transport.Message;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;

/** The outbox in MariaDB's SQL. The rows of one statement are numbered in their order. */
public final class MariaDbOutbox implements OutboxDialect {
  private static final String NOW =
      "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) DIV 1000";

  private static final String NEXT = "NEXTVAL(semel_outbox_seq)";

  private static final String INSERT =
      "INSERT INTO semel_outbox (place, %s, created_millis, attempts) VALUES "
          .formatted(OutboxRows.MESSAGE);

  private static final String ROW = "(? + %s, ?, ?, ?, ?, ?, ?, %s, 0)".formatted(NEXT, NOW);

  private static final String UNLESS_HELD =
      """
      (q.ordering_key IS NULL OR q.ordering_key COLLATE utf8mb4_nopad_bin NOT IN (
        SELECT k.k FROM JSON_TABLE(?, '$[*]' COLUMNS (k varchar(256) PATH '$')) k))
      AND q.place NOT IN (
        SELECT p.p FROM JSON_TABLE(?, '$[*]' COLUMNS (p bigint PATH '$')) p)""";

  private final ListedOutbox lists = new ListedOutbox(UNLESS_HELD, NOW);
  private final SqlFaults faults;

  public MariaDbOutbox(SqlFaults faults) {
    this.faults = faults;
  }

  @Override
  public void insert(Connection connection, List<Message> messages) throws SQLException {
    String rows = String.join(", ", Collections.nCopies(messages.size(), ROW));
    try (PreparedStatement statement = connection.prepareStatement(INSERT + rows)) {
      int at = 1;
      for (Message message : messages) {
        statement.setLong(at++, QueuePlaces.base(message));
        at = bind(statement, at, message);
      }
      statement.executeUpdate();
    }
  }

  /**
   * Binds the columns that are the same on every engine, in the order of {@link
   * OutboxRows#MESSAGE}.
   */
  static int bind(PreparedStatement statement, int first, Message message) throws SQLException {
    int at = first;
    statement.setString(at++, message.id());
    statement.setString(at++, message.destination());
    statement.setString(at++, OutboxRows.orNull(message.orderingKey()));
    statement.setString(at++, OutboxRows.orNull(message.type()));
    statement.setBytes(at++, message.payload());
    statement.setString(at++, OutboxRows.orNull(OutboxRows.headers(message.headers())));
    return at;
  }

  @Override
  public List<OutboxEntry> read(StatementCache db, List<ReadRange> slices, int limitEach)
      throws SQLException {
    return lists.readTwice(db, slices, limitEach);
  }

  @Override
  public void delete(StatementCache db, List<Long> places) throws SQLException {
    lists.delete(db, places);
  }

  @Override
  public void keep(StatementCache db, List<Long> places) throws SQLException {
    lists.keep(db, places);
  }

  @Override
  public boolean keepsAtOnce() {
    return false;
  }

  @Override
  public String locking() {
    return " FOR UPDATE";
  }

  @Override
  public String lockingOthersSkipped() {
    return " FOR UPDATE SKIP LOCKED";
  }

  @Override
  public void draw(StatementCache db, int numbers) {}

  @Override
  public String next() {
    return NEXT;
  }

  @Override
  public String newId() {
    return "UUID()";
  }

  @Override
  public <R> R looking(SqlEngine engine, GroupCommit.Step<R> step) {
    return OutboxDialect.lookingAfter("START TRANSACTION READ ONLY", engine, step);
  }

  @Override
  public String comparable(String id) {
    return "CAST(" + id + " AS char CHARACTER SET utf8mb4) COLLATE utf8mb4_nopad_bin";
  }

  /** With stricter isolation, the relay's deletes would lock the gaps for inserts. */
  @Override
  public List<String> setUp() {
    return List.of("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
  }

  @Override
  public List<String> takeDown() {
    return List.of();
  }

  @Override
  public StoreException fault(String what, SQLException e) {
    return faults.of(what, e);
  }

  @Override
  public boolean rings() {
    return false;
  }
}
