package dev.semel.cli.prove;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.cli.connect.DatabaseOption;
import dev.semel.cli.connect.StoreUrls;
import dev.semel.idempotency.spi.Store;
import dev.semel.internal.PrintableText;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.jdbc.internal.engine.MariaDbUrl;
import dev.semel.jdbc.internal.engine.PostgresUrl;
import dev.semel.proof.flow.MessageJudge.Done;
import dev.semel.proof.flow.MessageJudge.Ledger;
import dev.semel.proof.flow.MessageJudge.Order;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/**
 * Tables of one proof in an existing database, where no other relay looks: a schema on PostgreSQL,
 * a database on MariaDB's server, a file beside SQLite's. Closing removes them.
 */
public final class ProofDatabase implements AutoCloseable {
  /** Number of ordering keys of a run. */
  static final int ACCOUNTS = 8;

  private final Place place;
  private final boolean keep;
  private final Store store;
  private final JdbcOutbox outbox;

  private ProofDatabase(Place place, boolean keep, Store store) {
    this.place = place;
    this.keep = keep;
    this.store = store;
    this.outbox = DatabaseOption.outbox(store);
  }

  /**
   * The location of the tables.
   *
   * @param url may hold a password
   * @param column type of an automatic counter
   */
  private record Place(String url, String column, Runnable make, Runnable remove) {
    @Override
    public String toString() {
      return "Place[" + column + "]";
    }
  }

  /**
   * Creates the tables.
   *
   * @param run makes their location unique
   * @param keep whether to keep them at the end
   * @throws StoreException the database can't be reached, or does not allow it
   */
  public static ProofDatabase create(String url, Path folder, String run, boolean keep) {
    Place place = place(url, folder, "semel_prove_" + run);
    place.make().run();
    try {
      ProofDatabase database = new ProofDatabase(place, keep, StoreUrls.open(place.url(), folder));
      database.tables();
      return database;
    } catch (RuntimeException e) {
      place.remove().run();
      throw e;
    }
  }

  private static Place place(String url, Path folder, String name) {
    return switch (DatabaseOption.requireSql(url).substring(0, url.indexOf(':'))) {
      case "postgresql" -> {
        DataSource source = PostgresUrl.source(url);
        yield new Place(
            url + (url.indexOf('?') < 0 ? "?" : "&") + "currentSchema=" + name,
            "bigserial PRIMARY KEY",
            () -> execute(source, "a schema", "CREATE SCHEMA " + name),
            () -> execute(source, "a schema", "DROP SCHEMA IF EXISTS " + name + " CASCADE"));
      }
      case "mariadb" -> {
        DataSource source = MariaDbUrl.source(url);
        yield new Place(
            url.replaceFirst("(mariadb://[^/]*/)[^?]*", "$1" + name),
            "bigint AUTO_INCREMENT PRIMARY KEY",
            () -> execute(source, "a database", "CREATE DATABASE " + name),
            () -> execute(source, "a database", "DROP DATABASE IF EXISTS " + name));
      }
      default -> beside(StoreUrls.sqliteFile(url, folder), name);
    };
  }

  private static Place beside(Path file, String name) {
    Path parent = file.toAbsolutePath().getParent();
    if (parent == null || !Files.isDirectory(parent)) {
      throw new InvalidInput(
          "there is no folder %s: name the file that the application has"
              .formatted(PrintableText.safe(String.valueOf(parent))));
    }
    Path own = parent.resolve(file.getFileName() + "." + name);
    return new Place(
        "sqlite:" + own, "integer PRIMARY KEY AUTOINCREMENT", () -> {}, () -> delete(own));
  }

  private static void delete(Path file) {
    try {
      for (String suffix : List.of("", "-wal", "-shm", "-journal")) {
        Files.deleteIfExists(file.resolveSibling(file.getFileName() + suffix));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The driver's message contains no password. */
  private static void execute(DataSource source, String what, String sql) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new StoreException(
          "the proof can't have %s of its own in the database: %s"
              .formatted(what, PrintableText.safe(String.valueOf(e.getMessage()))),
          e);
    }
  }

  private void tables() {
    List<String> all = new ArrayList<>();
    all.add("CREATE TABLE prove_account (id varchar(64) PRIMARY KEY, version bigint NOT NULL)");
    all.add(
        "CREATE TABLE prove_order (id varchar(64) PRIMARY KEY, account varchar(64) NOT NULL,"
            + " version bigint NOT NULL)");
    all.add(
        "CREATE TABLE prove_effect (place %s, id varchar(64) NOT NULL, who varchar(64) NOT NULL, at_nanos bigint NOT NULL)"
            .formatted(place.column()));
    all.add(
        "CREATE INDEX prove_effect_id ON prove_effect (id)"); // not unique: duplicates must show
    IntStream.range(0, ACCOUNTS)
        .forEach(n -> all.add("INSERT INTO prove_account VALUES ('account-%d', 0)".formatted(n)));
    on(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            for (String sql : all) {
              statement.execute(sql);
            }
          }
          return true;
        });
  }

  /** For other processes; may hold a password. */
  String url() {
    return place.url();
  }

  String describe() {
    return store.describe();
  }

  List<String> hazards() {
    return store.hazards();
  }

  /** Whether the tables stay at the end. */
  boolean kept() {
    return keep;
  }

  /**
   * The progress.
   *
   * @param waiting messages in the outbox
   * @param missing committed messages without an effect so far
   */
  record Standing(long waiting, long committed, long effects, long missing) {}

  Standing standing() {
    return on(
        connection ->
            new Standing(
                count(connection, "semel_outbox"),
                count(connection, "prove_order"),
                count(connection, "prove_effect"),
                count(
                    connection,
                    "prove_order o WHERE NOT EXISTS"
                        + " (SELECT 1 FROM prove_effect e WHERE e.id = o.id)")));
  }

  private static long count(Connection connection, String table) throws SQLException {
    return rows(connection, "SELECT count(*) FROM " + table, rs -> rs.getLong(1)).get(0);
  }

  Ledger ledger() {
    return on(
        connection ->
            new Ledger(
                rows(
                    connection,
                    "SELECT id, account FROM prove_order ORDER BY account, version",
                    rs -> new Order(rs.getString(1), rs.getString(2))),
                rows(
                    connection,
                    "SELECT id, who, at_nanos FROM prove_effect ORDER BY place",
                    rs -> new Done(rs.getString(1), rs.getString(2), rs.getLong(3))),
                rows(connection, "SELECT id FROM semel_outbox", rs -> rs.getString(1)),
                rows(connection, "SELECT id FROM semel_outbox_dead", rs -> rs.getString(1))));
  }

  @FunctionalInterface
  private interface Reading<T> {
    T read(ResultSet rs) throws SQLException;
  }

  private static <T> List<T> rows(Connection connection, String sql, Reading<T> reading)
      throws SQLException {
    List<T> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rs = statement.executeQuery(sql)) {
      while (rs.next()) {
        rows.add(reading.read(rs));
      }
    }
    return rows;
  }

  @FunctionalInterface
  private interface Step<T> {
    T run(Connection connection) throws SQLException;
  }

  private <T> T on(Step<T> step) {
    try {
      return outbox.<T, SQLException>executeWithOutbox(step::run);
    } catch (SQLException e) {
      throw new StoreException("the proof's tables can't be asked: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    outbox.close();
    store.close();
    if (!keep) {
      place.remove().run();
    }
  }
}
