package dev.semel.endtoend;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.jdbc.MariaDbStore;
import dev.semel.jdbc.OutboxSettings;
import dev.semel.jdbc.PostgresStore;
import dev.semel.jdbc.SqliteStore;
import dev.semel.transport.Message;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A database with orders, an outbox and an inbox, as each process of the test has it. */
final class Shop implements AutoCloseable {
  public static final String DESTINATION = "orders";

  public static final String CONSUMER = "ledger";

  /** Without a key of its own: whatever is done twice is there twice. */
  private static final List<String> TABLES =
      List.of(
          "CREATE TABLE orders (id varchar(64) NOT NULL PRIMARY KEY)",
          "CREATE TABLE effects (place %s, id varchar(64) NOT NULL)");

  private static final int POOL = 6;

  private final String place;
  private final JdbcOutbox outbox;
  private final JdbcInbox inbox;
  private final AutoCloseable source;

  private Shop(String place, JdbcOutbox outbox, JdbcInbox inbox, AutoCloseable source) {
    this.place = place;
    this.outbox = outbox;
    this.inbox = inbox;
    this.source = source;
  }

  /** By a JDBC URL, or a file for SQLite. */
  static Shop open(String where) {
    OutboxSettings settings = OutboxSettings.defaults();
    if (!where.startsWith("jdbc:")) {
      SqliteStore store = SqliteStore.open(Path.of(where), InstantSource.system());
      return new Shop(
          "integer PRIMARY KEY AUTOINCREMENT",
          JdbcOutbox.on(store, settings),
          JdbcInbox.on(store),
          store);
    }
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(where);
    pool.setMaximumPoolSize(POOL);
    pool.setConnectionTimeout(Duration.ofSeconds(20).toMillis());
    if (where.startsWith("jdbc:postgresql:")) {
      PostgresStore store = PostgresStore.open(pool);
      return new Shop(
          "bigserial PRIMARY KEY", JdbcOutbox.on(store, settings), JdbcInbox.on(store), pool);
    }
    MariaDbStore store = MariaDbStore.open(pool);
    return new Shop(
        "bigint AUTO_INCREMENT PRIMARY KEY",
        JdbcOutbox.on(store, settings),
        JdbcInbox.on(store),
        pool);
  }

  public JdbcOutbox outbox() {
    return outbox;
  }

  public JdbcInbox inbox() {
    return inbox;
  }

  void create() {
    run(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            for (String sql : TABLES) {
              statement.execute(sql.formatted(place));
            }
          }
          return true;
        });
  }

  /** An order, and the message that tells of it. */
  void order(Message message) {
    order(List.of(message));
  }

  /** Orders of one transaction, and the messages that tell of them. */
  void order(List<Message> messages) {
    try {
      outbox.<Boolean, SQLException>executeWithOutbox(
          connection -> {
            for (Message message : messages) {
              insert(connection, "INSERT INTO orders (id) VALUES (?)", message.id());
            }
            return true;
          },
          messages.toArray(new Message[0]));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The order and its message were written, and then the transaction failed. */
  void orderAndRollBack(Message message) {
    try {
      outbox.<Boolean, ChangedMind>executeWithOutbox(
          connection -> {
            try {
              insert(connection, "INSERT INTO orders (id) VALUES (?)", message.id());
            } catch (SQLException e) {
              throw new IllegalStateException(e);
            }
            outbox.add(connection, message);
            throw new ChangedMind();
          });
      throw new IllegalStateException("it was committed");
    } catch (ChangedMind e) {
      return; // as it should be
    }
  }

  private static final class ChangedMind extends Exception {
    private static final long serialVersionUID = 1;
  }

  static boolean insert(Connection connection, String sql, String id) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, id);
      return statement.executeUpdate() == 1;
    }
  }

  long count(String table) {
    return number("SELECT count(*) FROM " + table);
  }

  private long number(String sql) {
    return run(
        connection -> {
          try (Statement statement = connection.createStatement();
              ResultSet rs = statement.executeQuery(sql)) {
            rs.next();
            return rs.getLong(1);
          }
        });
  }

  /** Whether each of these took effect at least once. */
  boolean tookEffect(List<String> ids) {
    String wanted = ids.stream().map(id -> "'" + id + "'").collect(Collectors.joining(","));
    String sql = "SELECT count(DISTINCT id) FROM effects WHERE id IN (" + wanted + ")";
    return number(sql) == ids.size();
  }

  /** In the order in which they took place. */
  List<String> effects() {
    return run(
        connection -> {
          List<String> ids = new ArrayList<>();
          try (Statement statement = connection.createStatement();
              ResultSet rs = statement.executeQuery("SELECT id FROM effects ORDER BY place")) {
            while (rs.next()) {
              ids.add(rs.getString(1));
            }
          }
          return ids;
        });
  }

  @FunctionalInterface
  private interface Step<T> {
    T run(Connection connection) throws SQLException;
  }

  private <T> T run(Step<T> step) {
    try {
      return outbox.<T, SQLException>executeWithOutbox(step::run);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    outbox.close();
    inbox.close();
    try {
      source.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
