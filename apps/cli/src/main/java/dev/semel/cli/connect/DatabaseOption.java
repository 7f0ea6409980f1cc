package dev.semel.cli.connect;

import dev.semel.InvalidInput;
import dev.semel.admin.InboxAdmin;
import dev.semel.admin.OutboxAdmin;
import dev.semel.cli.CommandSettings;
import dev.semel.cli.SemelCommand;
import dev.semel.idempotency.spi.Store;
import dev.semel.internal.PrintableText;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.jdbc.MariaDbStore;
import dev.semel.jdbc.OutboxSettings;
import dev.semel.jdbc.PostgresStore;
import dev.semel.jdbc.SchemaSetup;
import dev.semel.jdbc.SqliteStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for the application's database, which has outbox and inbox. */
public final class DatabaseOption {
  /** An audit needs the history; the application sets its retention. */
  private static final OutboxSettings OUTBOX =
      OutboxSettings.defaults().withKeepHistory(Duration.ofDays(36_500));

  @Option(
      names = "--database",
      paramLabel = "URL",
      description =
          "The application's database: postgresql://…, mariadb://… or sqlite:FILE (default: the"
              + " store; SEMEL_DATABASE).")
  private @Nullable String database;

  /** Whether the call itself names a database. */
  public boolean given() {
    return database != null;
  }

  /** The settings of a call with this flag. */
  public CommandSettings settings(SemelCommand semel) {
    return semel.settings(CommandSettings.DATABASE, database);
  }

  /** Works on the outbox, here or at a server. */
  public <R> R withOutbox(SemelCommand semel, Function<OutboxAdmin, R> work) {
    return semel
        .centers()
        .onDatabase(
            this,
            center ->
                work.apply(center.outbox().orElseThrow(() -> ControlCenters.lacks("outbox"))));
  }

  /** Works on the inbox, here or at a server. */
  public <R> R withInbox(SemelCommand semel, Function<InboxAdmin, R> work) {
    return semel
        .centers()
        .onDatabase(
            this,
            center -> work.apply(center.inbox().orElseThrow(() -> ControlCenters.lacks("inbox"))));
  }

  /** Works on the outbox's tables, which needs the database itself. */
  public <R> R withTables(SemelCommand semel, Function<JdbcOutbox, R> work) {
    try (Store store = open(semel);
        JdbcOutbox outbox = outbox(store)) {
      return work.apply(outbox);
    }
  }

  /** Works on the inbox's tables, which needs the database itself. */
  public <R> R withInboxTables(SemelCommand semel, Function<JdbcInbox, R> work) {
    try (Store store = open(semel);
        JdbcInbox inbox = inbox(store)) {
      return work.apply(inbox);
    }
  }

  /** Its file on this machine; empty: unknown here. */
  public Optional<Path> file(SemelCommand semel) {
    return file(url(semel), semel);
  }

  /** The file of a database's URL; empty: unknown here. */
  static Optional<Path> file(String url, SemelCommand semel) {
    return url.startsWith("sqlite:")
        ? Optional.of(StoreUrls.sqliteFile(url, semel.around().folder()))
        : Optional.empty();
  }

  /** Opens the named database, else the store. */
  public Store open(SemelCommand semel) {
    Optional<String> named = named(semel);
    return named.isPresent()
        ? open(named.get(), semel)
        : StoreUrls.open(requireSql(semel.storeUrl()), semel.around().folder());
  }

  /** Opens a named database. A misspelled name must not create an empty one. */
  static Store open(String named, SemelCommand semel) {
    if (kind(named) == Kind.SQLITE) {
      requireThere(named, semel);
    }
    return StoreUrls.open(named, semel.around().folder());
  }

  /** Opens any kind of store to look at it; creates nothing. */
  public Store examine(SemelCommand semel) {
    String url = url(semel);
    if (url.startsWith("sqlite:")) {
      requireThere(url, semel);
    }
    return StoreUrls.open(url, semel.around().folder(), SchemaSetup.CHECK);
  }

  private static void requireThere(String url, SemelCommand semel) {
    Path file = StoreUrls.sqliteFile(url, semel.around().folder());
    if (!Files.exists(file)) {
      throw new InvalidInput(
          "there is no file %s: name the one that the application has"
              .formatted(PrintableText.safe(file.toString())));
    }
  }

  /** Databases that may have these tables. */
  private enum Kind {
    POSTGRESQL,
    MARIADB,
    SQLITE
  }

  /** Checked before anything is opened, so that other stores are not contacted in vain. */
  private static Kind kind(String url) {
    return switch (url.substring(0, Math.max(0, url.indexOf(':')))) {
      case "postgresql" -> Kind.POSTGRESQL;
      case "mariadb" -> Kind.MARIADB;
      case "sqlite" -> Kind.SQLITE;
      default -> throw notSql();
    };
  }

  /** Returns the URL; throws unless its database may have these tables. */
  public static String requireSql(String url) {
    Kind unused = kind(url);
    return url;
  }

  /**
   * Statements that bring all tables of this kind of database up to date.
   *
   * @param from the existing version; 0: none
   */
  public String ddl(SemelCommand semel, int from) {
    Kind kind = kind(url(semel));
    int version =
        switch (kind) {
          case POSTGRESQL -> PostgresStore.schemaVersion();
          case MARIADB -> MariaDbStore.schemaVersion();
          case SQLITE -> SqliteStore.schemaVersion();
        };
    String statements =
        switch (kind) {
          case POSTGRESQL -> PostgresStore.ddl(from);
          case MARIADB -> MariaDbStore.ddl(from);
          case SQLITE -> SqliteStore.ddl(from);
        };
    return "-- semel's tables, from version %d to %d%n%s".formatted(from, version, statements);
  }

  /** Statements that partition an inbox. */
  public String partitioning(SemelCommand semel, Duration width) {
    if (kind(url(semel)) != Kind.POSTGRESQL) {
      throw new InvalidInput("only an inbox on PostgreSQL can be partitioned");
    }
    return PostgresStore.inboxPartitioningDdl(width);
  }

  private String url(SemelCommand semel) {
    return named(semel).orElseGet(semel::storeUrl);
  }

  /** A flag for the store precedes a database from variables and files. */
  private Optional<String> named(SemelCommand semel) {
    return given() || semel.storeFlag().isEmpty() ? settings(semel).database() : Optional.empty();
  }

  public static boolean isSql(Store store) {
    return store instanceof PostgresStore
        || store instanceof MariaDbStore
        || store instanceof SqliteStore;
  }

  public static JdbcOutbox outbox(Store store) {
    return switch (store) {
      case PostgresStore postgres -> JdbcOutbox.on(postgres, OUTBOX);
      case MariaDbStore mariaDb -> JdbcOutbox.on(mariaDb, OUTBOX);
      case SqliteStore sqlite -> JdbcOutbox.on(sqlite, OUTBOX);
      default -> throw notSql();
    };
  }

  public static JdbcInbox inbox(Store store) {
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
