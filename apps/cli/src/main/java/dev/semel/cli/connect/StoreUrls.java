package dev.semel.cli.connect;

import dev.semel.InvalidInput;
import dev.semel.PrintableText;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.jdbc.SchemaSetup;
import dev.semel.jdbc.SqliteStore;
import dev.semel.redis.RedisStore;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Set;

/**
 * Where a store's URL becomes an opened store. A driver's classes are touched only by its own
 * branch, so that a command loads no more than it uses.
 */
public final class StoreUrls {
  private static final Set<String> LATER = Set.of("mysql", "nats", "kafka", "amqp", "journal");

  private static final Set<String> OPENED =
      Set.of(
          "memory",
          "sqlite",
          "postgresql",
          "mariadb",
          "redis",
          "rediss",
          "redis-cluster",
          "rediss-cluster");

  private static final String KNOWN =
      "memory:, sqlite:FILE, postgresql://user@host/database, mariadb://user@host/database, redis://host or redis-cluster://host,host";

  private StoreUrls() {}

  public static Store open(String url, Path folder) {
    return open(url, folder, SchemaSetup.CREATE);
  }

  /** The same for who only looks. */
  public static Store open(String url, Path folder, SchemaSetup setup) {
    int colon = url.indexOf(':');
    String scheme = colon < 0 ? "" : url.substring(0, colon);
    return switch (scheme) {
      case "memory" -> new MemoryStore(InstantSource.system());
      case "sqlite" -> SqliteStore.open(sqliteFile(url, folder), InstantSource.system(), setup);
      case "postgresql" -> PostgresUrl.open(url, setup);
      case "mariadb" -> MariaDbUrl.open(url, setup);
      case "redis", "rediss", "redis-cluster", "rediss-cluster" -> RedisStore.open(url);
      default -> throw unknown(scheme);
    };
  }

  /** Whether there is such a store; nothing is opened. */
  public static void requireKnown(String url) {
    String scheme = url.substring(0, Math.max(0, url.indexOf(':')));
    if (!OPENED.contains(scheme)) {
      throw unknown(scheme);
    }
  }

  private static InvalidInput unknown(String scheme) {
    if (LATER.contains(scheme)) {
      return new InvalidInput("%s stores are not in this version: use %s".formatted(scheme, KNOWN));
    }
    String named =
        scheme.isEmpty()
            ? "the store's URL names no scheme"
            : "there is no store " + PrintableText.quoted(scheme + ":");
    return new InvalidInput("%s: use %s".formatted(named, KNOWN));
  }

  /** The file that a URL of SQLite names, seen from a folder. */
  public static Path sqliteFile(String url, Path folder) {
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

  /** User, password and options left out; of a URL that keeps no rules all but its scheme. */
  public static String withoutSecrets(String url) {
    int authority = url.indexOf("://") + 3;
    int options = url.indexOf('?');
    String address = url.substring(authority, options < 0 ? url.length() : options);
    int user = address.lastIndexOf('@');
    if (user < 0 && url.indexOf('@') >= 0) {
      address = "…"; // what looks like the host may be the beginning of a password with a ? in it
    }
    return PrintableText.safe(url.substring(0, authority) + address.substring(user + 1));
  }

  /** Whether a URL may hold a secret, in front of its host or among its options. */
  public static boolean mayHoldSecret(String url) {
    return url.indexOf('@') >= 0 || url.indexOf('?') >= 0;
  }
}
