package dev.semel.http.client;

import dev.semel.InvalidInput;
import dev.semel.http.HttpHeader;
import dev.semel.http.KeySource;
import dev.semel.http.KeySyntax;
import java.time.Duration;

/**
 * Tries, timeouts and pauses of an {@link IdempotentClient}.
 *
 * @param header which header carries the key, and how it is written there
 * @param maxTries how often a request is sent at most
 * @param deadline how long all tries and pauses take together at most
 * @param tryTimeout how long one try takes at most
 * @param firstPause the pause after the first failure; each further one is about twice as long
 * @param longestPause the longest of these pauses
 * @param longestRetryAfter limit for a {@code Retry-After} of the server
 * @param maxResponseBytes a larger answer is not read
 */
public record ClientSettings(
    KeySource.Header header,
    int maxTries,
    Duration deadline,
    Duration tryTimeout,
    Duration firstPause,
    Duration longestPause,
    Duration longestRetryAfter,
    int maxResponseBytes) {
  private static final ClientSettings DEFAULTS =
      new ClientSettings(
          new KeySource.Header(HttpHeader.KEY, KeySyntax.LENIENT),
          10,
          Duration.ofMinutes(2),
          Duration.ofSeconds(30),
          Duration.ofMillis(100),
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          4 << 20);

  public ClientSettings {
    if (maxTries < 1) {
      throw new InvalidInput("a request is sent at least once, but maxTries is " + maxTries);
    }
    positive("deadline", deadline);
    positive("tryTimeout", tryTimeout);
    positive("firstPause", firstPause);
    positive("longestPause", longestPause);
    if (longestPause.compareTo(firstPause) < 0) {
      throw new InvalidInput(
          "longestPause (%s) is shorter than firstPause (%s)".formatted(longestPause, firstPause));
    }
    if (longestRetryAfter.isNegative() || maxResponseBytes < 0) {
      throw new InvalidInput("neither longestRetryAfter nor maxResponseBytes can be negative");
    }
  }

  private static void positive(String what, Duration d) {
    if (d.isNegative() || d.isZero()) {
      throw new InvalidInput("%s must be longer than nothing: %s".formatted(what, d));
    }
  }

  public static ClientSettings defaults() {
    return DEFAULTS;
  }

  public ClientSettings withHeader(KeySource.Header header) {
    return new ClientSettings(
        header,
        maxTries,
        deadline,
        tryTimeout,
        firstPause,
        longestPause,
        longestRetryAfter,
        maxResponseBytes);
  }

  public ClientSettings withMaxTries(int maxTries) {
    return new ClientSettings(
        header,
        maxTries,
        deadline,
        tryTimeout,
        firstPause,
        longestPause,
        longestRetryAfter,
        maxResponseBytes);
  }

  public ClientSettings withDeadline(Duration deadline) {
    return new ClientSettings(
        header,
        maxTries,
        deadline,
        tryTimeout,
        firstPause,
        longestPause,
        longestRetryAfter,
        maxResponseBytes);
  }

  public ClientSettings withTryTimeout(Duration tryTimeout) {
    return new ClientSettings(
        header,
        maxTries,
        deadline,
        tryTimeout,
        firstPause,
        longestPause,
        longestRetryAfter,
        maxResponseBytes);
  }

  /** Sets the first and the longest pause. */
  public ClientSettings withPauses(Duration first, Duration longest) {
    return new ClientSettings(
        header,
        maxTries,
        deadline,
        tryTimeout,
        first,
        longest,
        longestRetryAfter,
        maxResponseBytes);
  }

  public ClientSettings withLongestRetryAfter(Duration longestRetryAfter) {
    return new ClientSettings(
        header,
        maxTries,
        deadline,
        tryTimeout,
        firstPause,
        longestPause,
        longestRetryAfter,
        maxResponseBytes);
  }

  public ClientSettings withMaxResponseBytes(int maxResponseBytes) {
    return new ClientSettings(
        header,
        maxTries,
        deadline,
        tryTimeout,
        firstPause,
        longestPause,
        longestRetryAfter,
        maxResponseBytes);
  }
}
