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

/** Where outbox and inbox are: in the application's own database. */
public final class DatabaseOption {
  /** For an audit, history must be looked at; how long it is kept is the application's to say. */
  private static final OutboxSettings OUTBOX =
      OutboxSettings.defaults().withKeepHistory(Duration.ofDays(36_500));

  @Option(
      names = "--database",
      paramLabel = "URL",
      description =
          "The application's database: postgresql://…, mariadb://… or sqlite:FILE (default: the"
              + " store; SEMEL_DATABASE).")
  private @Nullable String database;

  /** Whether the call itself names one. */
  public boolean given() {
    return database != null;
  }

  /** What applies to a call with this flag. */
  public CommandSettings settings(SemelCommand semel) {
    return semel.settings(CommandSettings.DATABASE, database);
  }

  /** Here or at a server. */
  public <R> R withOutbox(SemelCommand semel, Function<OutboxAdmin, R> work) {
    return semel
        .centers()
        .onDatabase(
            this,
            center ->
                work.apply(center.outbox().orElseThrow(() -> ControlCenters.lacks("outbox"))));
  }

  /** Here or at a server. */
  public <R> R withInbox(SemelCommand semel, Function<InboxAdmin, R> work) {
    return semel
        .centers()
        .onDatabase(
            this,
            center -> work.apply(center.inbox().orElseThrow(() -> ControlCenters.lacks("inbox"))));
  }

  /** For what only a database itself can be asked. */
  public <R> R withTables(SemelCommand semel, Function<JdbcOutbox, R> work) {
    try (Store store = open(semel);
        JdbcOutbox outbox = outbox(store)) {
      return work.apply(outbox);
    }
  }

  /** The same for an inbox. */
  public <R> R withInboxTables(SemelCommand semel, Function<JdbcInbox, R> work) {
    try (Store store = open(semel);
        JdbcInbox inbox = inbox(store)) {
      return work.apply(inbox);
    }
  }

  /** Where it is on a disk of this machine; empty: nobody here knows. */
  public Optional<Path> file(SemelCommand semel) {
    return file(url(semel), semel);
  }

  /** The same of any. */
  static Optional<Path> file(String url, SemelCommand semel) {
    return url.startsWith("sqlite:")
        ? Optional.of(StoreUrls.sqliteFile(url, semel.around().folder()))
        : Optional.empty();
  }

  /** The one that is named, else the store. */
  public Store open(SemelCommand semel) {
    Optional<String> named = named(semel);
    return named.isPresent()
        ? open(named.get(), semel)
        : StoreUrls.open(requireSql(semel.storeUrl()), semel.around().folder());
  }

  /** A name that is misspelled must not become a database with nothing in it. */
  static Store open(String named, SemelCommand semel) {
    if (kind(named) == Kind.SQLITE) {
      requireThere(named, semel);
    }
    return StoreUrls.open(named, semel.around().folder());
  }

  /** Any kind of store, to be looked at only: nothing is created. */
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

  /** The databases that an application may have these tables in. */
  private enum Kind {
    POSTGRESQL,
    MARIADB,
    SQLITE
  }

  /** Looked at before anything is opened: no other kind of store is asked in vain. */
  private static Kind kind(String url) {
    return switch (url.substring(0, Math.max(0, url.indexOf(':')))) {
      case "postgresql" -> Kind.POSTGRESQL;
      case "mariadb" -> Kind.MARIADB;
      case "sqlite" -> Kind.SQLITE;
      default -> throw notSql();
    };
  }

  /** The URL, if it is that of a database that may have these tables. */
  public static String requireSql(String url) {
    Kind unused = kind(url);
    return url;
  }

  /**
   * The statements that bring all tables of this kind of database up to date.
   *
   * @param from the version that is there; 0: none
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

  /** The statements that partition an inbox. */
  public String partitioning(SemelCommand semel, Duration width) {
    if (kind(url(semel)) != Kind.POSTGRESQL) {
      throw new InvalidInput("only an inbox on PostgreSQL can be partitioned");
    }
    return PostgresStore.inboxPartitioningDdl(width);
  }

  private String url(SemelCommand semel) {
    return named(semel).orElseGet(semel::storeUrl);
  }

  /** Whoever names a store for this very call does not mean the database of all calls. */
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
