package dev.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.outbox.spi.OutboxOperations;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.tck.ManualClock;
import dev.semel.tck.messages.OutboxUnderTest;
import dev.semel.testservices.MariaDbDatabase;
import dev.semel.testservices.TestDatabase;
import dev.semel.transport.Message;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** An outbox in a separate database, which is emptied for each test. */
final class OutboxFixture implements OutboxUnderTest, AutoCloseable {
  static final OutboxSettings SETTINGS =
      OutboxSettings.defaults().withKeepHistory(Duration.ofHours(1));

  private static final List<String> EMPTY =
      List.of(
          "DELETE FROM semel_outbox",
          "DELETE FROM semel_outbox_dead",
          "DELETE FROM semel_outbox_history",
          "DELETE FROM semel_relay",
          "UPDATE semel_outbox_partition SET owner = NULL, until_millis = 0, resting = 0");

  private final String jdbcUrl;
  private final JdbcOutbox outbox;
  private final Consumer<Duration> clock;
  private final Runnable rest;

  private OutboxFixture(
      String jdbcUrl, JdbcOutbox outbox, Consumer<Duration> clock, Runnable rest) {
    this.jdbcUrl = jdbcUrl;
    this.outbox = outbox;
    this.clock = clock;
    this.rest = rest;
  }

  static OutboxFixture of(TestDatabase database) {
    HikariDataSource pool = ServerUnderTest.pool(database.jdbcUrl(), 12);
    return new OutboxFixture(
        database.jdbcUrl(),
        JdbcOutbox.on(PostgresStore.open(pool), SETTINGS),
        d -> ServerUnderTest.elapse(pool, d),
        pool::close);
  }

  static OutboxFixture of(MariaDbDatabase database) {
    HikariDataSource pool = ServerUnderTest.pool(database.jdbcUrl(), 12);
    return new OutboxFixture(
        database.jdbcUrl(),
        JdbcOutbox.on(MariaDbStore.open(pool), SETTINGS),
        d -> ServerUnderTest.elapse(pool, d),
        pool::close);
  }

  static OutboxFixture of(Path folder) {
    ManualClock clock = new ManualClock();
    Path file = folder.resolve("semel.db");
    SqliteStore store = SqliteStore.open(file, clock);
    return new OutboxFixture(
        "jdbc:sqlite:" + file, JdbcOutbox.on(store, SETTINGS), clock::advance, store::close);
  }

  JdbcOutbox outbox() {
    return outbox;
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl);
  }

  void execute(String... statements) throws SQLException {
    new RawSql(this::connect).execute(statements);
  }

  long number(String sql) throws SQLException {
    return new RawSql(this::connect).number(sql);
  }

  OutboxFixture emptied() throws SQLException {
    execute(EMPTY.toArray(String[]::new));
    return this;
  }

  @Override
  public OutboxStore store() {
    return outbox.store();
  }

  @Override
  public OutboxOperations operations() {
    return outbox.operations();
  }

  @Override
  public int maxPayloadBytes() {
    return SETTINGS.maxPayloadBytes();
  }

  @Override
  public void add(Message... messages) {
    outbox.executeWithOutbox(connection -> true, messages);
  }

  @Override
  public void elapse(Duration d) {
    clock.accept(d);
  }

  @Override
  public void close() {
    outbox.close();
    rest.run();
  }
}
