package dev.semel.cli.prove;

import dev.semel.cli.connect.StoreUrls;
import dev.semel.jdbc.internal.engine.MariaDbUrl;
import dev.semel.jdbc.internal.engine.PostgresUrl;
import dev.semel.proof.ProofTarget;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes the target of a proof from a URL, with a proxy before it if that is possible. */
final class ProofTargets {
  private static final Pattern SERVER =
      Pattern.compile(
          "(redis|postgresql|mariadb|nats|amqp|http)(://(?:[^@/?]*@)?)(\\[[^\\]]+]|[^:/?,\\[\\]]+)(?::(\\d{1,5}))?([/?].*)?");

  private ProofTargets() {}

  static ProofTarget of(String url, Path folder) {
    String scheme = url.substring(0, Math.max(0, url.indexOf(':')));
    return switch (scheme) {
      case "sqlite" ->
          apart(
              "sqlite:" + StoreUrls.sqliteFile(url, folder),
              folder,
              "a file is not reached over a network");
      case "redis-cluster", "rediss-cluster" ->
          apart(
              evictionAllowed(url),
              folder,
              "the nodes of a cluster name each other's addresses, past anything in between");
      case "rediss" -> apart(evictionAllowed(url), folder, "of its encryption");
      case "redis" -> server(evictionAllowed(url), folder);
      case "postgresql", "mariadb" -> server(url, folder);
      default ->
          new ProofTarget(() -> StoreUrls.open(url, folder), Optional.empty(), Optional.empty());
    };
  }

  /** A target without a proxy between it and the workers. */
  private static ProofTarget apart(String url, Path folder, String why) {
    return new ProofTarget(
        () -> StoreUrls.open(url, folder),
        Optional.of(
            new ProofTarget.Processes(ProveWorker.class, url, Optional.empty(), address -> url)),
        Optional.of(why));
  }

  private static ProofTarget server(String url, Path folder) {
    return switch (reach(url)) {
      case Reach.Not not -> apart(url, folder, not.why());
      case Reach.At at ->
          new ProofTarget(
              () -> StoreUrls.open(url, folder),
              Optional.of(
                  new ProofTarget.Processes(
                      ProveWorker.class, url, Optional.of(at.address()), at.through())),
              Optional.empty());
    };
  }

  /** Whether a proxy can stand before a URL's server. */
  sealed interface Reach {
    /**
     * It can.
     *
     * @param through the URL by another address; may hold a password
     */
    record At(InetSocketAddress address, Function<InetSocketAddress, String> through)
        implements Reach {}

    /** It can't. */
    record Not(String why) implements Reach {}
  }

  /** Checks a server with one address. */
  static Reach reach(String url) {
    String scheme = url.substring(0, Math.max(0, url.indexOf(':')));
    if (Set.of("kafka", "redis-cluster", "rabbitmq-stream").contains(scheme)) {
      return new Reach.Not("the servers name each other's addresses, past anything in between");
    }
    if (scheme.equals("sqlite")) {
      return new Reach.Not("a file is not reached over a network");
    }
    Matcher m = SERVER.matcher(url);
    if (!m.matches()) {
      return new Reach.Not(
          url.contains(",") || !url.contains("://")
              ? "the URL does not name one address"
              : "of its encryption");
    }
    if (m.group(5) != null && m.group(5).matches(".*[?&](ssl|useSsl).*")) {
      return new Reach.Not("of its encryption");
    }
    String host = m.group(3).replaceAll("[\\[\\]]", "");
    int port = m.group(4) == null ? defaultPort(m.group(1)) : Integer.parseInt(m.group(4));
    String end = m.group(5) == null ? "" : m.group(5);
    return new Reach.At(
        new InetSocketAddress(host, port),
        proxy ->
            m.group(1)
                + m.group(2)
                + proxy.getAddress().getHostAddress()
                + ":"
                + proxy.getPort()
                + end);
  }

  private static int defaultPort(String scheme) {
    return switch (scheme) {
      case "redis" -> 6379;
      case "nats" -> 4222;
      case "amqp" -> 5672;
      case "http" -> 80;
      case "postgresql" -> PostgresUrl.DEFAULT_PORT;
      default -> MariaDbUrl.DEFAULT_PORT;
    };
  }

  /** Allows eviction, which stores otherwise refuse: the proof shows what it costs. */
  private static String evictionAllowed(String url) {
    if (url.contains("eviction=")) {
      return url;
    }
    return url + (url.indexOf('?') < 0 ? "?" : "&") + "eviction=allow";
  }
}
