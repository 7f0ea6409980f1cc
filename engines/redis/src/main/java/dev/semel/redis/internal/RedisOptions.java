package dev.semel.redis.internal;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The options in a Redis URL.
 *
 * @param timeout of one command
 * @param evictionAllowed whether a server that may evict keys is accepted
 * @param waitReplicas how many replicas must have a write before the call returns; usually zero
 * @param waitTimeout how long to wait for the replicas
 */
public record RedisOptions(
    Duration timeout, boolean evictionAllowed, int waitReplicas, Duration waitTimeout) {
  public static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(5);
  static final Duration MAX_TIMEOUT = Duration.ofMinutes(1);
  static final Duration WAIT_TIMEOUT = Duration.ofMillis(200);
  static final int MAX_WAIT_REPLICAS = 9;

  private static final Pattern DURATION = Pattern.compile("(\\d{1,6})(ms|s)");

  static RedisOptions parse(@Nullable String query) {
    Duration timeout = COMMAND_TIMEOUT;
    boolean evictionAllowed = false;
    int waitReplicas = 0;
    Duration waitTimeout = WAIT_TIMEOUT;
    for (String option : query == null || query.isEmpty() ? new String[0] : query.split("&", -1)) {
      String value = option.substring(option.indexOf('=') + 1);
      switch (option.substring(0, option.length() - value.length())) {
        case "timeout=" -> timeout = duration(value);
        case "eviction=" -> evictionAllowed = allowed(option);
        case "wait=" -> waitReplicas = replicas(value);
        case "wait-timeout=" -> waitTimeout = duration(value);
        default -> throw unknown(option);
      }
    }
    if (waitReplicas > 0 && waitTimeout.compareTo(timeout) >= 0) {
      throw new InvalidInput(
          "the wait-timeout of %d ms must be shorter than the timeout of %d ms"
              .formatted(waitTimeout.toMillis(), timeout.toMillis()));
    }
    return new RedisOptions(timeout, evictionAllowed, waitReplicas, waitTimeout);
  }

  private static boolean allowed(String option) {
    if (!option.equals("eviction=allow")) {
      throw unknown(option);
    }
    return true;
  }

  private static InvalidInput unknown(String option) {
    return new InvalidInput(
        "the Redis URL's option %s is not known: there are timeout=5s, eviction=allow, wait=1 and wait-timeout=200ms"
            .formatted(PrintableText.quoted(option)));
  }

  private static int replicas(String text) {
    if (text.length() != 1 || text.charAt(0) < '0' || text.charAt(0) > '0' + MAX_WAIT_REPLICAS) {
      throw new InvalidInput(
          "the number of replicas to wait for is 0 to %d, not %s"
              .formatted(MAX_WAIT_REPLICAS, PrintableText.quoted(text)));
    }
    return text.charAt(0) - '0';
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
            .formatted(PrintableText.quoted(text), MAX_TIMEOUT.toSeconds()));
  }
}
