package dev.semel.server.subscription;

import dev.semel.stream.StreamPath;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a subscription was asked to be, in one form: equal when the requests meant the same.
 *
 * @param streams named one by one; sorted, none twice
 */
record SubscriptionConfig(
    Optional<StreamGlob> pattern,
    List<StreamPath> streams,
    WakeDelivery delivery,
    Duration lease,
    Optional<String> description) {
  static final Duration MIN_LEASE = Duration.ofSeconds(1);
  static final Duration MAX_LEASE = Duration.ofMinutes(10);
  static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

  /** Longest description, in characters. */
  static final int MAX_DESCRIPTION = 1024;

  SubscriptionConfig {
    streams = streams.stream().distinct().sorted().toList();
  }

  /** A wake stream never wakes its own subscription: that would not end. */
  boolean matches(StreamPath path) {
    return pattern.isPresent() && pattern.get().matches(path) && !isWakeStream(path);
  }

  boolean isWakeStream(StreamPath path) {
    return delivery instanceof WakeDelivery.PullWake p && p.stream().equals(path);
  }
}
