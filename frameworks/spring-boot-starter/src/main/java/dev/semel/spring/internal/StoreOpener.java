package dev.semel.spring.internal;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.jdbc.SqliteStore;
import dev.semel.redis.RedisStore;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.springframework.util.ClassUtils;

/** Opens a store by its URL. */
public final class StoreOpener {
  private static final String EXAMPLES =
      "Set semel.store to memory:, sqlite:FILE, redis://host:6379 or redis-cluster://host:6379,host:6380; or leave it out, and give the application a DataSource.";

  private StoreOpener() {}

  public static Store open(String url) {
    try {
      return opened(url);
    } catch (InvalidInput | StoreException | InvalidPathException e) {
      throw new UnusableStore("semel.store can't be used: " + e.getMessage(), EXAMPLES, e);
    }
  }

  private static Store opened(String url) {
    if (url.equals("memory:")) {
      return new MemoryStore(InstantSource.system());
    }
    if (url.startsWith("sqlite:")) {
      require("dev.semel.jdbc.SqliteStore", "semel-jdbc");
      require("org.sqlite.JDBC", "org.xerial:sqlite-jdbc");
      return Sqlite.open(Path.of(url.substring("sqlite:".length())));
    }
    if (url.startsWith("redis")) {
      require("dev.semel.redis.RedisStore", "semel-redis");
      return Redis.open(url);
    }
    if (url.startsWith("postgresql:") || url.startsWith("mariadb:") || url.startsWith("jdbc:")) {
      throw new UnusableStore(
          "semel.store names a database, of which Spring should have the connections",
          "Leave semel.store out and set spring.datasource.url: the application's DataSource is the store then, and effects commit together with their records.");
    }
    throw new UnusableStore(
        // Only the scheme: the rest may hold a password.
        "semel.store starts with %s, which is no kind of store".formatted(scheme(url)), EXAMPLES);
  }

  private static String scheme(String url) {
    int end = url.indexOf(':');
    return end < 0 ? "no scheme" : "\"" + url.substring(0, Math.min(end + 1, 30)) + "\"";
  }

  private static void require(String type, String artifact) {
    if (!ClassUtils.isPresent(type, null)) {
      throw new UnusableStore(
          "semel.store needs %s, which is not on the class path".formatted(artifact),
          "Add the dependency " + artifact + ", or choose another store.");
    }
  }

  /**
   * Opens an SQLite file, for applications without a URL and a usable DataSource.
   *
   * @param sources the names of the unusable DataSources
   */
  public static Store embedded(String folder, List<String> sources) {
    if (sources.size() > 1) {
      throw new UnusableStore(
          "there are several beans of the type DataSource (%s), and none of them is the primary one"
              .formatted(String.join(", ", sources)),
          "Name one by semel.datasource, or mark one with @Primary; or set semel.store to keep records elsewhere, such as redis://host:6379.");
    }
    if (!sources.isEmpty()) {
      throw new UnusableStore(
          "the DataSource %s can't be used without semel-jdbc and spring-jdbc on the class path"
              .formatted(sources.getFirst()),
          "Add the dependencies semel-jdbc and spring-boot-starter-jdbc; or set semel.store to keep records elsewhere, such as redis://host:6379.");
    }
    if (!ClassUtils.isPresent("dev.semel.jdbc.SqliteStore", null)
        || !ClassUtils.isPresent("org.sqlite.JDBC", null)) {
      throw new UnusableStore(
          "there is no DataSource, and for a file of its own semel-jdbc or org.xerial:sqlite-jdbc is not on the class path",
          "Give the application a DataSource, add the two dependencies, or set semel.store; with semel.store=memory: records are gone when the process ends, and other processes don't see them.");
    }
    return open("sqlite:" + Path.of(folder, "semel.db"));
  }

  /** A separate class, so that it is loaded only where semel-jdbc is present. */
  private static final class Sqlite {
    static Store open(Path file) {
      return SqliteStore.open(file, InstantSource.system());
    }
  }

  /** A separate class, so that it is loaded only where semel-redis is present. */
  private static final class Redis {
    static Store open(String url) {
      return RedisStore.open(url);
    }
  }
}
