package dev.semel.jdbc.internal.outbox;

import dev.semel.StoreException;
import dev.semel.jdbc.internal.sqlite.GroupCommit;
import dev.semel.jdbc.internal.store.SqlEngine;
import dev.semel.jdbc.internal.store.SqlFaults;
import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.outbox.spi.ReadRange;
import dev.semel.transport.Message;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The outbox in PostgreSQL's SQL. Arrays let one statement serve any number of rows. */
public final class PostgresOutbox implements OutboxDialect {
  static final String CHANNEL = "semel_outbox";

  private static final String NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

  /**
   * Notifies only where a relay rests, because every notifying transaction takes a lock that is
   * global to the server.
   */
  private static final String INSERT =
      """
      WITH added AS (
        INSERT INTO semel_outbox (place, %1$s, created_millis, attempts)
        SELECT m.base + nextval('semel_outbox_seq'), %1$s, %2$s, 0
        FROM unnest(?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bytea[], ?::text[])
          WITH ORDINALITY AS m(base, %1$s, n)
        ORDER BY m.n)
      SELECT count(pg_notify('%3$s', '')) FROM semel_outbox_partition
      WHERE resting = 1 AND part = ANY (?)"""
          .formatted(OutboxRows.MESSAGE, NOW, CHANNEL);

  private static final String READ = read("");

  private static final String READ_WITHOUT_HELD =
      read(
          "AND (q.ordering_key IS NULL OR q.ordering_key <> ALL (?::text[]))"
              + " AND q.place <> ALL (?::bigint[])");

  private static final String DELETE = "DELETE FROM semel_outbox WHERE place = ANY (?)";

  private static final String KEEP =
      """
      WITH gone AS (DELETE FROM semel_outbox WHERE place = ANY (?) RETURNING %1$s)
      INSERT INTO semel_outbox_history (%1$s, since_millis) SELECT %1$s, %2$s FROM gone"""
          .formatted(OutboxRows.ALL, NOW);

  private final SqlFaults faults;

  public PostgresOutbox(SqlFaults faults) {
    this.faults = faults;
  }

  private static String read(String unlessHeld) {
    return """
    SELECT o.* FROM unnest(?::bigint[], ?::bigint[]) AS s(low, high)
    CROSS JOIN LATERAL (
      SELECT %s FROM semel_outbox q
      WHERE q.place > s.low AND q.place < s.high %s
      ORDER BY q.place LIMIT ?) o"""
        .formatted(QueueReading.COLUMNS, unlessHeld);
  }

  @Override
  public void insert(Connection connection, List<Message> messages) throws SQLException {
    Long[] bases = messages.stream().map(QueuePlaces::base).toArray(Long[]::new);
    byte[][] payloads = messages.stream().map(Message::payload).toArray(byte[][]::new);
    Long[] partitions =
        Arrays.stream(bases)
            .map(base -> (long) QueuePlaces.partition(base))
            .distinct()
            .toArray(Long[]::new);
    try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
      statement.setArray(1, connection.createArrayOf("int8", bases));
      statement.setArray(2, texts(connection, messages, Message::id));
      statement.setArray(3, texts(connection, messages, Message::destination));
      statement.setArray(4, texts(connection, messages, m -> OutboxRows.orNull(m.orderingKey())));
      statement.setArray(5, texts(connection, messages, m -> OutboxRows.orNull(m.type())));
      statement.setArray(6, connection.createArrayOf("bytea", payloads));
      statement.setArray(
          7, texts(connection, messages, m -> OutboxRows.orNull(OutboxRows.headers(m.headers()))));
      statement.setArray(8, connection.createArrayOf("int8", partitions));
      statement.executeQuery().close();
    }
  }

  private static Array texts(
      Connection connection, List<Message> messages, Function<Message, @Nullable String> column)
      throws SQLException {
    @Nullable String[] values = new @Nullable String[messages.size()];
    for (int row = 0; row < values.length; row++) {
      values[row] = column.apply(messages.get(row));
    }
    return Objects.requireNonNull(connection.createArrayOf("text", values));
  }

  @Override
  public List<OutboxEntry> read(StatementCache db, List<ReadRange> slices, int limitEach)
      throws SQLException {
    Long[] lows = new Long[slices.size()];
    Long[] highs = new Long[slices.size()];
    List<String> keys = new ArrayList<>();
    List<Long> places = new ArrayList<>();
    for (int i = 0; i < lows.length; i++) {
      ReadRange slice = slices.get(i);
      lows[i] = Math.max(slice.after(), QueuePlaces.base(slice.partition()));
      highs[i] = QueuePlaces.base(slice.partition() + 1);
      keys.addAll(slice.heldKeys()); // a key is in one partition only: one list will do
      places.addAll(slice.heldPlaces());
    }
    Array low = array(db, "int8", lows);
    Array high = array(db, "int8", highs);
    ResultSet found =
        keys.isEmpty() && places.isEmpty()
            ? db.query(READ, low, high, limitEach)
            : db.query(
                READ_WITHOUT_HELD,
                low,
                high,
                array(db, "text", keys.toArray(String[]::new)),
                array(db, "int8", places.toArray(Long[]::new)),
                limitEach);
    QueueReading reading = new QueueReading();
    try (ResultSet rs = found) {
      reading.take(rs);
    }
    return reading.finish(db);
  }

  private static Array array(StatementCache db, String type, Object[] values) throws SQLException {
    return Objects.requireNonNull(db.connection().createArrayOf(type, values));
  }

  @Override
  public void delete(StatementCache db, List<Long> places) throws SQLException {
    db.update(DELETE, array(db, "int8", places.toArray(Long[]::new)));
  }

  @Override
  public void keep(StatementCache db, List<Long> places) throws SQLException {
    db.update(KEEP, array(db, "int8", places.toArray(Long[]::new)));
  }

  @Override
  public boolean keepsAtOnce() {
    return true;
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
    return "nextval('semel_outbox_seq')";
  }

  @Override
  public String newId() {
    return "gen_random_uuid()::text";
  }

  @Override
  public <R> R looking(SqlEngine engine, GroupCommit.Step<R> step) {
    return OutboxDialect.lookingAfter("SET TRANSACTION READ ONLY", engine, step);
  }

  @Override
  public String comparable(String id) {
    return "CAST(" + id + " AS text) COLLATE \"C\"";
  }

  /**
   * PostgreSQL keeps a plan made while the table was empty, and such a plan would read the whole
   * table each time. So only plans that follow the primary key are allowed.
   */
  @Override
  public List<String> setUp() {
    return List.of(
        "SET enable_seqscan = off",
        "SET enable_bitmapscan = off",
        "SET enable_sort = off",
        "SET jit = off");
  }

  @Override
  public List<String> takeDown() {
    return List.of(
        "RESET enable_seqscan", "RESET enable_bitmapscan", "RESET enable_sort", "RESET jit");
  }

  @Override
  public StoreException fault(String what, SQLException e) {
    return faults.of(what, e);
  }

  @Override
  public boolean rings() {
    return true;
  }
}
