package dev.semel.cli.connect;

import dev.semel.engine.internal.Engines;
import dev.semel.engine.spi.EngineOptions;
import dev.semel.idempotency.spi.Store;
import dev.semel.internal.PrintableText;
import dev.semel.jdbc.SchemaSetup;
import dev.semel.jdbc.internal.engine.JdbcEngineProvider;
import java.nio.file.Path;

/**
 * Where a store's URL becomes an opened store: by the engines that {@link dev.semel.Semel} finds,
 * so that a command loads no more than it uses.
 */
public final class StoreUrls {
  private StoreUrls() {}

  public static Store open(String url, Path folder) {
    return open(url, folder, SchemaSetup.CREATE);
  }

  /** The same for who only looks. */
  public static Store open(String url, Path folder, SchemaSetup setup) {
    // The store is all that a command needs of the engine, and it is closed as one.
    return Engines.open(
            url,
            EngineOptions.defaults()
                .withFolder(folder)
                .withCreateTables(setup == SchemaSetup.CREATE)
                .withPoolConnections(false))
        .store();
  }

  /** Whether there is such a store; nothing is opened. */
  public static void requireKnown(String url) {
    Engines.requireKnown(url);
  }

  /** The file that a URL of SQLite names, seen from a folder. */
  public static Path sqliteFile(String url, Path folder) {
    return JdbcEngineProvider.file(url, folder);
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
