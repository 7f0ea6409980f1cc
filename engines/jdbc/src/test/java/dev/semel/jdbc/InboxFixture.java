package dev.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.inbox.MessageHandler;
import dev.semel.inbox.spi.ConsumerInbox;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.tck.ManualClock;
import dev.semel.tck.messages.InboxUnderTest;
import dev.semel.testservices.MariaDbDatabase;
import dev.semel.testservices.TestDatabase;
import dev.semel.transport.spi.ConsumerPositions;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** An inbox on an engine, and a separate connection that sees what was committed. */
final class InboxFixture implements InboxUnderTest, AutoCloseable {
  private final JdbcInbox inbox;
  private final Connection stranger;
  private final Consumer<Duration> elapse;
  private final Runnable last;

  private InboxFixture(
      JdbcInbox inbox, Connection stranger, Consumer<Duration> elapse, Runnable last) {
    this.inbox = inbox;
    this.stranger = stranger;
    this.elapse = elapse;
    this.last = last;
  }

  static InboxFixture on(TestDatabase database) throws SQLException {
    HikariDataSource pool = ServerUnderTest.pool(database.jdbcUrl(), 8);
    return onServer(
        JdbcInbox.on(PostgresStore.open(pool)), pool, "id bigserial PRIMARY KEY, what text");
  }

  /** Uses a database again, because each new one costs the server hundreds of files. */
  static InboxFixture onEmptied(TestDatabase database) throws SQLException {
    try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
        Statement statement = connection.createStatement()) {
      statement.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    }
    return on(database);
  }

  /** An inbox in a used database, with a partition for the current ids. */
  static InboxFixture partitioned(TestDatabase database) throws SQLException {
    InboxFixture fixture = onEmptied(database);
    fixture.inbox.partitions(InboxPartitionSettings.keeping(Duration.ofDays(30))).maintain();
    return fixture;
  }

  static InboxFixture on(MariaDbDatabase database) throws SQLException {
    HikariDataSource pool = ServerUnderTest.pool(database.jdbcUrl(), 8);
    return onServer(
        JdbcInbox.on(MariaDbStore.open(pool)),
        pool,
        "id bigint AUTO_INCREMENT PRIMARY KEY, what text COLLATE utf8mb4_nopad_bin");
  }

  private static InboxFixture onServer(JdbcInbox inbox, HikariDataSource pool, String columns)
      throws SQLException {
    InboxFixture fixture =
        new InboxFixture(
            inbox,
            DriverManager.getConnection(pool.getJdbcUrl()),
            d -> ServerUnderTest.elapse(pool, d),
            pool::close);
    fixture.execute("CREATE TABLE effect (" + columns + ")");
    return fixture;
  }

  static InboxFixture on(Path folder) throws SQLException {
    Path file = folder.resolve("semel.db");
    ManualClock clock = new ManualClock();
    SqliteStore store = SqliteStore.open(file, clock);
    InboxFixture fixture =
        new InboxFixture(
            JdbcInbox.on(store),
            DriverManager.getConnection("jdbc:sqlite:" + file),
            clock::advance,
            store::close);
    fixture.execute("CREATE TABLE effect (id integer PRIMARY KEY, what text)");
    return fixture;
  }

  JdbcInbox inbox() {
    return inbox;
  }

  void execute(String sql) throws SQLException {
    try (Statement statement = stranger.createStatement()) {
      statement.execute(sql);
    }
  }

  long number(String sql) {
    try (Statement statement = stranger.createStatement();
        ResultSet rs = statement.executeQuery(sql)) {
      rs.next();
      return rs.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  static void write(Connection connection, String what) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO effect (what) VALUES (?)")) {
      statement.setString(1, what);
      statement.executeUpdate();
    }
  }

  private static MessageHandler handler(Handling handling) {
    return (connection, message) ->
        handling.handle(what -> InboxFixture.write(connection, what), message);
  }

  @Override
  public ConsumerInbox consumerInbox(String consumer, Handling handling) {
    return inbox.consumerInbox(consumer, handler(handling));
  }

  @Override
  public ConsumerInbox outside(String consumer, Handling handling, boolean inDoubt) {
    return inbox.outside(
        consumer,
        message -> handling.handle(what -> {}, message),
        inDoubt ? OutsideMode.IN_DOUBT : OutsideMode.AT_MOST_ONCE);
  }

  @Override
  public ConsumerInbox storing(String consumer) {
    return inbox.storing(consumer);
  }

  @Override
  public Worker worker(String consumer, Handling handling, Patience patience) {
    InboxWorkerSettings settings =
        InboxWorkerSettings.defaults()
            .withMaxAttempts(patience.maxAttempts())
            .withPauses(patience.pause(), patience.pause())
            .withLease(patience.lease());
    return inbox.worker(consumer, handler(handling), settings)::runOnce;
  }

  @Override
  public InboxOperations operations() {
    return inbox.operations();
  }

  @Override
  public ConsumerPositions positions() {
    return inbox.positions();
  }

  @Override
  public synchronized List<String> effects(String prefix) {
    List<String> effects = new ArrayList<>();
    try (Statement statement = stranger.createStatement();
        ResultSet rs = statement.executeQuery("SELECT what FROM effect ORDER BY id")) {
      while (rs.next()) {
        if (rs.getString(1).startsWith(prefix)) {
          effects.add(rs.getString(1));
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return effects;
  }

  @Override
  public void elapse(Duration d) {
    elapse.accept(d);
  }

  @Override
  public void close() throws SQLException {
    inbox.close();
    stranger.close();
    last.run();
  }
}
