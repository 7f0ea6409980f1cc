package dev.semel.servlet;

import dev.semel.InvalidInput;
import dev.semel.http.HttpIdempotency;
import dev.semel.internal.PrintableText;

/**
 * Assigns an idempotency configuration to the requests on a path. Use several routes to guard paths
 * differently.
 *
 * @param pattern a path within the application: {@code /payments} matches only itself, {@code
 *     /payments/*} also all paths below
 */
public record GuardedRoute(String pattern, HttpIdempotency idempotency) {
  private static final String ALL_BELOW = "/*";

  public GuardedRoute {
    int star = pattern.indexOf('*');
    if (!pattern.startsWith("/")
        || (star >= 0 && !(star == pattern.length() - 1 && pattern.endsWith(ALL_BELOW)))) {
      throw new InvalidInput(
          "%s is no pattern of a route: write a path such as /payments, or /payments/* for all below it"
              .formatted(PrintableText.quoted(pattern)));
    }
  }

  /**
   * @param path decoded and normalized as the container matched it, so that no other spelling of a
   *     path bypasses the filter
   */
  boolean matches(String path) {
    if (!pattern.endsWith(ALL_BELOW)) {
      return path.equals(pattern);
    }
    String above = pattern.substring(0, pattern.length() - ALL_BELOW.length());
    return path.equals(above) || path.startsWith(above + "/");
  }
}
