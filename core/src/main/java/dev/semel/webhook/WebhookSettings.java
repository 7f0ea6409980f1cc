package dev.semel.webhook;

import dev.semel.InvalidInput;
import java.time.Duration;

/**
 * Timeouts, retry pauses and queue limits of a {@link WebhookSender}.
 *
 * @param timeout how long one try takes at most, the reading of the answer included
 * @param firstPause after the first failure; each further one is about twice as long
 * @param longestPause the longest pause; it also limits a {@code Retry-After} that asks for more
 * @param giveUpAfter after this time without delivery, the message is given up
 * @param maxWaiting how many alerts may wait, and how many events; further ones are dropped and
 *     counted
 */
public record WebhookSettings(
    Duration timeout,
    Duration firstPause,
    Duration longestPause,
    Duration giveUpAfter,
    int maxWaiting) {
  private static final WebhookSettings DEFAULTS =
      new WebhookSettings(
          Duration.ofSeconds(10),
          Duration.ofSeconds(1),
          Duration.ofMinutes(5),
          Duration.ofHours(6),
          1000);

  public WebhookSettings {
    if (!timeout.isPositive() || !firstPause.isPositive() || maxWaiting < 1) {
      throw new InvalidInput("a webhook's times and its queue must be longer than nothing");
    }
    if (longestPause.compareTo(firstPause) < 0) {
      throw new InvalidInput("a webhook's longest pause is shorter than its first");
    }
  }

  public static WebhookSettings defaults() {
    return DEFAULTS;
  }

  public WebhookSettings withTimeout(Duration value) {
    return new WebhookSettings(value, firstPause, longestPause, giveUpAfter, maxWaiting);
  }

  public WebhookSettings withPauses(Duration first, Duration longest) {
    return new WebhookSettings(timeout, first, longest, giveUpAfter, maxWaiting);
  }

  public WebhookSettings withGiveUpAfter(Duration value) {
    return new WebhookSettings(timeout, firstPause, longestPause, value, maxWaiting);
  }

  public WebhookSettings withMaxWaiting(int value) {
    return new WebhookSettings(timeout, firstPause, longestPause, giveUpAfter, value);
  }
}
