package dev.semel.servlet;

import dev.semel.InvalidInput;
import dev.semel.http.HttpIdempotency;
import dev.semel.internal.PrintableText;

/**
 * Which requests are guarded how.
 *
 * @param pattern a path within the application: {@code /payments} for this one, {@code /payments/*}
 *     for it and all below
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
   * @param path decoded and without dots, as the container matched it: a path written in another
   *     way must not slip by
   */
  boolean matches(String path) {
    if (!pattern.endsWith(ALL_BELOW)) {
      return path.equals(pattern);
    }
    String above = pattern.substring(0, pattern.length() - ALL_BELOW.length());
    return path.equals(above) || path.startsWith(above + "/");
  }
}
