package dev.semel.cli;

import dev.semel.tck.proof.Target;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a store's URL becomes the target of a proof: what can stand before it, and what can't. */
final class ProofTargets {
  private static final Pattern SERVER =
      Pattern.compile(
          "(redis|postgresql|mariadb)(://(?:[^@/?]*@)?)(\\[[^\\]]+]|[^:/?,\\[\\]]+)(?::(\\d{1,5}))?([/?].*)?");

  private ProofTargets() {}

  static Target of(String url, Path folder) {
    String scheme = url.substring(0, Math.max(0, url.indexOf(':')));
    return switch (scheme) {
      case "sqlite" ->
          apart(
              "sqlite:" + Stores.sqliteFile(url, folder),
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
      default -> new Target(() -> Stores.open(url, folder), Optional.empty(), Optional.empty());
    };
  }

  /** Nothing stands between the workers and it. */
  private static Target apart(String url, Path folder, String why) {
    return new Target(
        () -> Stores.open(url, folder),
        Optional.of(new Target.Processes(ProveWorker.class, url, Optional.empty(), address -> url)),
        Optional.of(why));
  }

  private static Target server(String url, Path folder) {
    Matcher m = SERVER.matcher(url);
    if (!m.matches()) {
      return apart(url, folder, "the URL does not name one address");
    }
    if (m.group(5) != null && m.group(5).matches(".*[?&](ssl|useSsl).*")) {
      return apart(url, folder, "of its encryption");
    }
    String host = m.group(3).replaceAll("[\\[\\]]", "");
    int port = m.group(4) == null ? defaultPort(m.group(1)) : Integer.parseInt(m.group(4));
    String end = m.group(5) == null ? "" : m.group(5);
    return new Target(
        () -> Stores.open(url, folder),
        Optional.of(
            new Target.Processes(
                ProveWorker.class,
                url,
                Optional.of(new InetSocketAddress(host, port)),
                proxy ->
                    m.group(1)
                        + m.group(2)
                        + proxy.getAddress().getHostAddress()
                        + ":"
                        + proxy.getPort()
                        + end)),
        Optional.empty());
  }

  private static int defaultPort(String scheme) {
    return switch (scheme) {
      case "redis" -> 6379;
      case "postgresql" -> PostgresUrl.DEFAULT_PORT;
      default -> MariaDbUrl.DEFAULT_PORT;
    };
  }

  /** A server that may evict is refused elsewhere; here it is to be shown what that costs. */
  private static String evictionAllowed(String url) {
    if (url.contains("eviction=")) {
      return url;
    }
    return url + (url.indexOf('?') < 0 ? "?" : "&") + "eviction=allow";
  }
}
