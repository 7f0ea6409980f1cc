package dev.semel.jdbc.internal.engine;

import dev.semel.InvalidInput;
import dev.semel.engine.spi.Engine;
import dev.semel.engine.spi.EngineOptions;
import dev.semel.engine.spi.EngineProvider;
import dev.semel.idempotency.spi.Store;
import dev.semel.jdbc.MariaDbStore;
import dev.semel.jdbc.PostgresStore;
import dev.semel.jdbc.SchemaSetup;
import dev.semel.jdbc.SqliteStore;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * Opens databases by URL. Each branch touches only its own driver's classes, so the other drivers
 * may be missing.
 */
public final class JdbcEngineProvider implements EngineProvider {
  @Override
  public Set<String> schemes() {
    return Set.of("sqlite", "postgresql", "mariadb");
  }

  @Override
  public Engine open(String url, EngineOptions options) {
    SchemaSetup setup = options.createTables() ? SchemaSetup.CREATE : SchemaSetup.CHECK;
    return switch (url.substring(0, url.indexOf(':')).toLowerCase(Locale.ROOT)) {
      case "postgresql" -> {
        PooledSource source =
            source(options, "org.postgresql:postgresql", () -> PostgresUrl.source(url));
        yield source.opening(it -> JdbcEngine.of(PostgresStore.open(it, setup), source));
      }
      case "mariadb" -> {
        PooledSource source =
            source(options, "org.mariadb.jdbc:mariadb-java-client", () -> MariaDbUrl.source(url));
        yield source.opening(it -> JdbcEngine.of(MariaDbStore.open(it, setup), source));
      }
      default -> {
        require("org.sqlite.JDBC", "org.xerial:sqlite-jdbc");
        yield JdbcEngine.of(SqliteStore.open(file(url, options.folder()), options.clock(), setup));
      }
    };
  }

  @Override
  public Optional<Engine> on(Store store) {
    return switch (store) {
      case PostgresStore postgres -> Optional.of(JdbcEngine.of(postgres, () -> {}));
      case MariaDbStore mariaDb -> Optional.of(JdbcEngine.of(mariaDb, () -> {}));
      case SqliteStore sqlite -> Optional.of(JdbcEngine.of(sqlite));
      default -> Optional.empty();
    };
  }

  private static PooledSource source(
      EngineOptions options, String driver, Supplier<DataSource> source) {
    try {
      DataSource direct = source.get();
      return options.poolConnections() ? PooledSource.of(direct) : PooledSource.direct(direct);
    } catch (NoClassDefFoundError e) {
      throw missing(driver);
    }
  }

  private static void require(String type, String artifact) {
    try {
      Class.forName(type, false, JdbcEngineProvider.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw missing(artifact);
    }
  }

  private static InvalidInput missing(String driver) {
    return new InvalidInput(
        "the database's driver is not on the class path: add the artifact " + driver);
  }

  /** The file that a SQLite URL names, relative to a folder. */
  public static Path file(String url, Path folder) {
    String file = url.substring(url.indexOf(':') + 1);
    if (file.isEmpty()) {
      throw new InvalidInput("sqlite: names no file: write it as sqlite:/path/to/semel.db");
    }
    try {
      return folder.resolve(file);
    } catch (InvalidPathException e) {
      throw new InvalidInput("the path of the SQLite file is not valid: " + e.getReason());
    }
  }
}
