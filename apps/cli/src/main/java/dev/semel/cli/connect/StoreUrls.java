package dev.semel.cli.connect;

import dev.semel.engine.internal.Engines;
import dev.semel.engine.spi.EngineOptions;
import dev.semel.idempotency.spi.Store;
import dev.semel.internal.PrintableText;
import dev.semel.jdbc.SchemaSetup;
import dev.semel.jdbc.internal.engine.JdbcEngineProvider;
import java.nio.file.Path;

/**
 * Opens stores by their URL, with the engines that {@link dev.semel.Semel} finds, so that a command
 * loads no more than it uses.
 */
public final class StoreUrls {
  private StoreUrls() {}

  public static Store open(String url, Path folder) {
    return open(url, folder, SchemaSetup.CREATE);
  }

  /** Opens a store with or without creating its tables. */
  public static Store open(String url, Path folder, SchemaSetup setup) {
    // A command needs only the store of an engine; closing the store closes the engine.
    return Engines.open(
            url,
            EngineOptions.defaults()
                .withFolder(folder)
                .withCreateTables(setup == SchemaSetup.CREATE)
                .withPoolConnections(false))
        .store();
  }

  /** Throws unless the URL names a known kind of store; opens nothing. */
  public static void requireKnown(String url) {
    Engines.requireKnown(url);
  }

  /** The file of an SQLite URL, relative to a folder. */
  public static Path sqliteFile(String url, Path folder) {
    return JdbcEngineProvider.file(url, folder);
  }

  /** The URL without user, password and options; of a malformed URL only the scheme. */
  public static String withoutSecrets(String url) {
    int authority = url.indexOf("://") + 3;
    int options = url.indexOf('?');
    String address = url.substring(authority, options < 0 ? url.length() : options);
    int user = address.lastIndexOf('@');
    if (user < 0 && url.indexOf('@') >= 0) {
      address = "…"; // the host may be the start of a password that contains a ?
    }
    return PrintableText.safe(url.substring(0, authority) + address.substring(user + 1));
  }

  /** Whether a URL may hold a secret before its host or in its options. */
  public static boolean mayHoldSecret(String url) {
    return url.indexOf('@') >= 0 || url.indexOf('?') >= 0;
  }
}
