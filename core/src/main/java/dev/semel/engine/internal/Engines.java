package dev.semel.engine.internal;

import dev.semel.InvalidInput;
import dev.semel.engine.spi.Engine;
import dev.semel.engine.spi.EngineOptions;
import dev.semel.engine.spi.EngineProvider;
import dev.semel.idempotency.spi.Store;
import dev.semel.internal.PrintableText;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Finds the engine of a URL on the class path. */
public final class Engines {
  private static final String JDBC = "semel-jdbc";
  private static final String REDIS = "semel-redis";

  /** The artifact to add for a scheme whose engine is missing. */
  private static final Map<String, String> ARTIFACTS =
      new TreeMap<>(
          Map.of(
              "sqlite",
              JDBC,
              "postgresql",
              JDBC,
              "mariadb",
              JDBC,
              "redis",
              REDIS,
              "rediss",
              REDIS,
              "redis-cluster",
              REDIS,
              "rediss-cluster",
              REDIS));

  /** Names that people write, and the schemes that they mean. */
  private static final Map<String, String> MEANT =
      Map.of("postgres", "postgresql", "mysql", "mariadb", "valkey", "redis");

  private static final String KNOWN =
      "memory:, sqlite:FILE, postgresql://user@host/database, mariadb://user@host/database, redis://host or redis-cluster://host,host";

  private Engines() {}

  /**
   * Opens the engine of a URL.
   *
   * @throws InvalidInput there is no such engine, or its artifact is missing
   */
  public static Engine open(String url, EngineOptions options) {
    String scheme = scheme(url);
    return provider(scheme).orElseThrow(() -> missing(scheme)).open(url, options);
  }

  /** The engine of a store that is already open; empty: no provider knows it. */
  public static Optional<Engine> on(Store store) {
    return providers().flatMap(each -> each.on(store).stream()).findFirst();
  }

  /** Checks that the engine of a URL exists, without opening it. */
  public static void requireKnown(String url) {
    String scheme = scheme(url);
    if (provider(scheme).isEmpty()) {
      throw missing(scheme);
    }
  }

  private static String scheme(String url) {
    return url.substring(0, Math.max(0, url.indexOf(':'))).toLowerCase(Locale.ROOT);
  }

  private static Optional<EngineProvider> provider(String scheme) {
    return providers().filter(each -> each.schemes().contains(scheme)).findFirst();
  }

  /** Lazy: searches only until the right provider is found. */
  private static Stream<EngineProvider> providers() {
    return Stream.of(
            Stream.of(MemoryEngine.PROVIDER),
            found(ServiceLoader.load(EngineProvider.class)),
            // A container's thread may use another class loader than the one that loaded us.
            found(ServiceLoader.load(EngineProvider.class, Engines.class.getClassLoader())))
        .flatMap(each -> each);
  }

  private static Stream<EngineProvider> found(ServiceLoader<EngineProvider> loader) {
    return loader.stream().map(ServiceLoader.Provider::get);
  }

  private static InvalidInput missing(String scheme) {
    String artifact = ARTIFACTS.get(scheme);
    if (artifact != null) {
      return new InvalidInput(
          "the engine for %s: URLs is not on the class path: add the artifact dev.semel:%s"
              .formatted(scheme, artifact));
    }
    String named =
        scheme.isEmpty()
            ? "the store's URL names no scheme"
            : "there is no store " + PrintableText.quoted(scheme + ":");
    String meant = MEANT.get(scheme);
    return new InvalidInput(
        meant == null
            ? "%s: use %s".formatted(named, KNOWN)
            : "%s: did you mean %s:? Use %s".formatted(named, meant, KNOWN));
  }
}
