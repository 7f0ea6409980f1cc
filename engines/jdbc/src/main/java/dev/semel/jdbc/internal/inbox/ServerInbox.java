package dev.semel.jdbc.internal.inbox;

import dev.semel.jdbc.internal.outbox.PostgresWatch;
import dev.semel.jdbc.internal.sqlite.GroupCommit;
import dev.semel.jdbc.internal.store.MariaDbFaults;
import dev.semel.jdbc.internal.store.PostgresDriver;
import dev.semel.jdbc.internal.store.SqlDialect;
import dev.semel.jdbc.internal.store.SqlFaults;
import dev.semel.jdbc.internal.store.SqlPositions;
import dev.semel.jdbc.internal.store.SqlSessions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Predicate;

/** The inbox on a server: one connection of the source per transaction. */
public final class ServerInbox implements InboxEngine {
  /** What differs between servers. */
  private record Words(
      InboxIds ids,
      String orLeave,
      String bytes,
      String keyColumns,
      Predicate<SQLException> gone,
      boolean canPartition,
      Optional<PostgresDriver> driver) {}

  private static final String POSTGRES_BYTES =
      """
      SELECT pg_total_relation_size('semel_inbox')
        + coalesce((SELECT sum(pg_total_relation_size(relid))
          FROM pg_partition_tree('semel_inbox') WHERE isleaf), 0)
        + pg_total_relation_size('semel_inbox_message')
        + pg_total_relation_size('semel_inbox_dead')""";

  private static final String POSTGRES_KEY =
      """
      SELECT coalesce(max(indnatts), 0) FROM pg_index
      WHERE indrelid = to_regclass('semel_inbox') AND indisprimary AND indisvalid""";

  /** Estimated by the server's last statistics. */
  private static final String MARIADB_BYTES =
      """
      SELECT coalesce(sum(data_length + index_length), 0) FROM information_schema.tables
      WHERE table_schema = DATABASE()
        AND table_name IN ('semel_inbox', 'semel_inbox_message', 'semel_inbox_dead')""";

  private static final String MARIADB_KEY =
      """
      SELECT count(*) FROM information_schema.statistics
      WHERE table_schema = DATABASE() AND table_name = 'semel_inbox'
        AND index_name = 'PRIMARY'""";

  private static final String POSTGRES_NO_SAVEPOINT = "3B001";

  private final SqlSessions sessions;
  private final String clock;
  private final Words words;
  private final SqlPositions positions;

  private ServerInbox(SqlSessions sessions, String clock, Words words) {
    this.sessions = sessions;
    this.clock = clock;
    this.words = words;
    this.positions = new SqlPositions(this);
  }

  public static ServerInbox postgres(SqlSessions sessions, SqlDialect sql) {
    String clock = clock(sql);
    return new ServerInbox(
        sessions,
        clock,
        new Words(
            new InboxIds.Arrays(clock),
            " ON CONFLICT DO NOTHING",
            POSTGRES_BYTES,
            POSTGRES_KEY,
            e -> SqlFaults.state(e).equals(POSTGRES_NO_SAVEPOINT),
            true,
            PostgresDriver.find()));
  }

  public static ServerInbox mariaDb(SqlSessions sessions, SqlDialect sql) {
    String clock = clock(sql);
    return new ServerInbox(
        sessions,
        clock,
        new Words(
            new InboxIds.Lists(clock, " ON DUPLICATE KEY UPDATE taker = semel_inbox.taker"),
            " ON DUPLICATE KEY UPDATE consumer = %s.consumer",
            MARIADB_BYTES,
            MARIADB_KEY,
            e -> e.getErrorCode() == MariaDbFaults.NO_SUCH_SAVEPOINT,
            false,
            Optional.empty()));
  }

  private static String clock(SqlDialect sql) {
    return "(" + sql.now() + ")";
  }

  @Override
  public <R> R transact(String what, GroupCommit.Step<R> step) {
    return sessions.transact(what, step);
  }

  @Override
  public <R> R read(String what, GroupCommit.Step<R> step) {
    return sessions.run(what, step);
  }

  @Override
  public SqlFaults faults() {
    return sessions.faults();
  }

  @Override
  public InboxIds ids() {
    return words.ids();
  }

  @Override
  public SqlPositions positions() {
    return positions;
  }

  @Override
  public String clock() {
    return clock;
  }

  @Override
  public long offset() {
    return 0;
  }

  @Override
  public String skipLocked() {
    return " FOR UPDATE SKIP LOCKED";
  }

  @Override
  public String locking() {
    return " FOR UPDATE";
  }

  @Override
  public String orLeave(String table) {
    return words.orLeave().formatted(table);
  }

  @Override
  public boolean canPartition() {
    return words.canPartition();
  }

  @Override
  public String bytes() {
    return words.bytes();
  }

  @Override
  public String keyColumns() {
    return words.keyColumns();
  }

  @Override
  public boolean savepointIsGone(SQLException e) {
    return words.gone().test(e);
  }

  @Override
  public Optional<TransactionWatch> watch(Connection connection) throws SQLException {
    return words.driver().isEmpty()
        ? Optional.empty()
        : PostgresWatch.begin(words.driver().get(), connection);
  }

  /** The source owns the connections, so there is nothing to close. */
  @Override
  public void close() {}
}
