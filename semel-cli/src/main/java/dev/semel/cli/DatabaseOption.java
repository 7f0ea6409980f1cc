package dev.semel.cli;

import dev.semel.InvalidInput;
import dev.semel.idempotency.Store;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.jdbc.MariaDbStore;
import dev.semel.jdbc.OutboxSettings;
import dev.semel.jdbc.PostgresStore;
import dev.semel.jdbc.SqliteStore;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where outbox and inbox are: in the application's own database. */
final class DatabaseOption {
  /** For an audit, history must be looked at; how long it is kept is the application's to say. */
  private static final OutboxSettings OUTBOX =
      OutboxSettings.defaults().withKeepHistory(Duration.ofDays(36_500));

  @Option(
      names = "--database",
      paramLabel = "URL",
      description =
          "The application's database: postgresql://…, mariadb://… or sqlite:FILE (default: the"
              + " store).")
  private @Nullable String database;

  <R> R withOutbox(Semel semel, Function<JdbcOutbox, R> work) {
    try (Store store = open(semel);
        JdbcOutbox outbox = outbox(store)) {
      return work.apply(outbox);
    }
  }

  <R> R withInbox(Semel semel, Function<JdbcInbox, R> work) {
    try (Store store = open(semel);
        JdbcInbox inbox = inbox(store)) {
      return work.apply(inbox);
    }
  }

  Store open(Semel semel) {
    return Stores.open(url(semel), semel.around().folder());
  }

  /** The statements that create all tables of this kind of database. */
  String ddl(Semel semel) {
    String url = url(semel);
    return switch (url.substring(0, Math.max(0, url.indexOf(':')))) {
      case "postgresql" -> PostgresStore.ddl();
      case "mariadb" -> MariaDbStore.ddl();
      case "sqlite" -> SqliteStore.ddl();
      default -> throw notSql();
    };
  }

  private String url(Semel semel) {
    return database == null ? semel.storeUrl() : database;
  }

  static JdbcOutbox outbox(Store store) {
    return switch (store) {
      case PostgresStore postgres -> JdbcOutbox.on(postgres, OUTBOX);
      case MariaDbStore mariaDb -> JdbcOutbox.on(mariaDb, OUTBOX);
      case SqliteStore sqlite -> JdbcOutbox.on(sqlite, OUTBOX);
      default -> throw notSql();
    };
  }

  static JdbcInbox inbox(Store store) {
    return switch (store) {
      case PostgresStore postgres -> JdbcInbox.on(postgres);
      case MariaDbStore mariaDb -> JdbcInbox.on(mariaDb);
      case SqliteStore sqlite -> JdbcInbox.on(sqlite);
      default -> throw notSql();
    };
  }

  private static InvalidInput notSql() {
    return new InvalidInput(
        "outbox and inbox are tables in the application's database: name it with --database postgresql://user@host/database, mariadb://… or sqlite:FILE");
  }
}
