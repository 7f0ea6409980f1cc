package dev.semel.redis;

import dev.semel.InvalidInput;
import dev.semel.Printable;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What {@code redis://user:password@host:6379/0?timeout=5s&eviction=allow} says; {@code rediss://}
 * is the same over TLS. Its text form and every message leave the password out.
 */
record RedisUrl(RedisURI uri, Duration timeout, boolean evictionAllowed) {
  static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(5);
  static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);
  static final Duration MAX_TIMEOUT = Duration.ofMinutes(1);

  private static final Pattern URL =
      Pattern.compile(
          "(rediss?)://(?:([^@/?]*)@)?(\\[[0-9A-Fa-f:.]+]|[^:/?@\\[\\]]+)(?::(\\d{1,5}))?(?:/(\\d{0,9}))?(?:\\?(.*))?");
  private static final Pattern DURATION = Pattern.compile("(\\d{1,6})(ms|s)");
  private static final int MAX_PORT = 65_535;

  static RedisUrl parse(String text) {
    Matcher m = URL.matcher(text);
    if (!m.matches()) {
      // The text may hold a password, so not even a part of it is repeated.
      throw new InvalidInput(
          "this is not a Redis URL: write it as redis://host:6379/0 or rediss://user:password@host, with special characters in the password percent-encoded");
    }
    String host = m.group(3);
    int port = m.group(4) == null ? RedisURI.DEFAULT_REDIS_PORT : Integer.parseInt(m.group(4));
    if (port < 1 || port > MAX_PORT) {
      throw new InvalidInput("a port is a number from 1 to %d, not %d".formatted(MAX_PORT, port));
    }
    Options options = Options.parse(m.group(6));
    RedisURI.Builder uri =
        RedisURI.builder()
            .withHost(host.startsWith("[") ? host.substring(1, host.length() - 1) : host)
            .withPort(port)
            .withSsl(m.group(1).equals("rediss"))
            .withTimeout(options.timeout());
    String database = m.group(5);
    if (database != null && !database.isEmpty()) {
      uri.withDatabase(Integer.parseInt(database));
    }
    authenticate(uri, m.group(2));
    return new RedisUrl(uri.build(), options.timeout(), options.evictionAllowed());
  }

  /** As Redis's own tools read it: a part without a colon is a password. */
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
      // A plus sign stands for itself here, unlike in forms.
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new InvalidInput("the URL's user or password is not well percent-encoded");
    }
  }

  Duration connectTimeout() {
    return timeout.compareTo(CONNECT_TIMEOUT) < 0 ? timeout : CONNECT_TIMEOUT;
  }

  String address() {
    return uri.getHost() + ":" + uri.getPort();
  }

  @Override
  public String toString() {
    return (uri.isSsl() ? "rediss://" : "redis://") + address() + "/" + uri.getDatabase();
  }

  private record Options(Duration timeout, boolean evictionAllowed) {
    static Options parse(@Nullable String query) {
      Duration timeout = COMMAND_TIMEOUT;
      boolean evictionAllowed = false;
      for (String option :
          query == null || query.isEmpty() ? new String[0] : query.split("&", -1)) {
        if (option.startsWith("timeout=")) {
          timeout = duration(option.substring("timeout=".length()));
        } else if (option.equals("eviction=allow")) {
          evictionAllowed = true;
        } else {
          throw new InvalidInput(
              "the Redis URL's option %s is not known: there are timeout=5s and eviction=allow"
                  .formatted(Printable.quoted(option)));
        }
      }
      return new Options(timeout, evictionAllowed);
    }

    private static Duration duration(String text) {
      Matcher m = DURATION.matcher(text);
      if (m.matches()) {
        long number = Long.parseLong(m.group(1));
        Duration duration =
            m.group(2).equals("s") ? Duration.ofSeconds(number) : Duration.ofMillis(number);
        if (duration.isPositive() && duration.compareTo(MAX_TIMEOUT) <= 0) {
          return duration;
        }
      }
      throw new InvalidInput(
          "the timeout %s is not valid: write it as 500ms or 5s, at most %d s"
              .formatted(Printable.quoted(text), MAX_TIMEOUT.toSeconds()));
    }
  }
}
