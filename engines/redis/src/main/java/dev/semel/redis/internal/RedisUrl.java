package dev.semel.redis.internal;

import dev.semel.InvalidInput;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A parsed {@code redis://user:password@host:6379/0?timeout=5s&eviction=allow} or {@code
 * redis-cluster://user:password@host:6379,host:6380?wait=1}; {@code rediss://} and {@code
 * rediss-cluster://} use TLS. Its text form and all messages omit the password.
 *
 * @param nodes the server, or some nodes of a cluster, which list the others
 */
record RedisUrl(boolean cluster, List<RedisURI> nodes, RedisOptions options) {
  static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);

  private static final String HOST = "(?:\\[[0-9A-Fa-f:.]+]|[^:/?@,\\[\\]]+)(?::\\d{1,5})?";
  private static final Pattern URL =
      Pattern.compile(
          "(rediss?)(-cluster)?://(?:([^@/?]*)@)?("
              + HOST
              + "(?:,"
              + HOST
              + ")*)(?:/(\\d{0,9}))?(?:\\?(.*))?");
  private static final Pattern ADDRESS = Pattern.compile("\\[?(.*?)]?(?::(\\d{1,5}))?");
  private static final int MAX_PORT = 65_535;

  static RedisUrl parse(String text) {
    Matcher m = URL.matcher(text);
    if (!m.matches()) {
      // The text may hold a password, so the message repeats no part of it.
      throw new InvalidInput(
          "this is not a Redis URL: write it as redis://host:6379/0, rediss://user:password@host or redis-cluster://host:6379,host:6380, with special characters in the password percent-encoded");
    }
    boolean cluster = m.group(2) != null;
    String[] addresses = m.group(4).split(",", -1);
    if (!cluster && addresses.length > 1) {
      throw new InvalidInput(
          "a single Redis has one address: for a cluster, start the URL with redis-cluster://");
    }
    String database = m.group(5);
    if (cluster && database != null && !database.isEmpty()) {
      throw new InvalidInput("a Redis Cluster has only one database: leave its number out");
    }
    RedisOptions options = RedisOptions.parse(m.group(6));
    List<RedisURI> nodes =
        Arrays.stream(addresses)
            .map(
                address -> {
                  RedisURI.Builder uri = address(address);
                  uri.withSsl(m.group(1).equals("rediss")).withTimeout(options.timeout());
                  if (database != null && !database.isEmpty()) {
                    uri.withDatabase(Integer.parseInt(database));
                  }
                  authenticate(uri, m.group(3));
                  return uri.build();
                })
            .toList();
    return new RedisUrl(cluster, nodes, options);
  }

  private static RedisURI.Builder address(String text) {
    Matcher m = ADDRESS.matcher(text);
    if (!m.matches()) {
      throw new IllegalStateException("an address that the URL's pattern took");
    }
    int port = m.group(2) == null ? RedisURI.DEFAULT_REDIS_PORT : Integer.parseInt(m.group(2));
    if (port < 1 || port > MAX_PORT) {
      throw new InvalidInput("a port is a number from 1 to %d, not %d".formatted(MAX_PORT, port));
    }
    return RedisURI.builder().withHost(m.group(1)).withPort(port);
  }

  /** As in Redis's own tools: text without a colon is a password. */
  private static void authenticate(RedisURI.Builder uri, @Nullable String userInfo) {
    if (userInfo == null || userInfo.isEmpty()) {
      return;
    }
    int colon = userInfo.indexOf(':');
    String user = colon > 0 ? decoded(userInfo.substring(0, colon)) : null;
    char[] password = decoded(userInfo.substring(colon + 1)).toCharArray();
    uri.withAuthentication(new StaticCredentialsProvider(user, password));
  }

  private static String decoded(String text) {
    try {
      // A plus sign stays a plus sign here, unlike in forms.
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new InvalidInput("the URL's user or password is not well percent-encoded");
    }
  }

  /** The only node, or the first one to try. */
  RedisURI uri() {
    return nodes.get(0);
  }

  Duration timeout() {
    return options.timeout();
  }

  Duration connectTimeout() {
    return timeout().compareTo(CONNECT_TIMEOUT) < 0 ? timeout() : CONNECT_TIMEOUT;
  }

  boolean evictionAllowed() {
    return options.evictionAllowed();
  }

  String address() {
    return nodes.stream().map(RedisUrl::address).collect(Collectors.joining(","));
  }

  static String address(RedisURI uri) {
    return uri.getHost() + ":" + uri.getPort();
  }

  /** The server's name for messages. */
  String server() {
    return (cluster ? "the Redis Cluster at " : "Redis at ") + address();
  }

  @Override
  public String toString() {
    String scheme = (uri().isSsl() ? "rediss" : "redis") + (cluster ? "-cluster" : "");
    return scheme + "://" + address() + (cluster ? "" : "/" + uri().getDatabase());
  }
}
