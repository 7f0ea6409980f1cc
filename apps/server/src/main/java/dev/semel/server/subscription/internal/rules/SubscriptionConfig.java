package dev.semel.server.subscription.internal.rules;

import dev.semel.stream.StreamPath;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The configuration of a subscription in one form: equal if the requests meant the same.
 *
 * @param streams named one by one; sorted, none twice
 */
public record SubscriptionConfig(
    Optional<StreamGlob> pattern,
    List<StreamPath> streams,
    WakeDelivery delivery,
    Duration lease,
    Optional<String> description) {
  public static final Duration MIN_LEASE = Duration.ofSeconds(1);
  public static final Duration MAX_LEASE = Duration.ofMinutes(10);
  public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

  /** Longest description, in characters. */
  public static final int MAX_DESCRIPTION = 1024;

  public SubscriptionConfig {
    streams = streams.stream().distinct().sorted().toList();
  }

  /** A wake stream never wakes its own subscription, because that would not end. */
  public boolean matches(StreamPath path) {
    return pattern.isPresent() && pattern.get().matches(path) && !isWakeStream(path);
  }

  public boolean isWakeStream(StreamPath path) {
    return delivery instanceof WakeDelivery.PullWake p && p.stream().equals(path);
  }
}
