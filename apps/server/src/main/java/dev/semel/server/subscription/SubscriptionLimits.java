package dev.semel.server.subscription;

import dev.semel.InvalidInput;
import java.time.Duration;

/**
 * Limits of subscriptions, which you pass to {@link SubscriptionSettings}; a refusal names its
 * limit.
 *
 * @param subscriptions all of them
 * @param streamsPerSubscription streams that one follows
 * @param links streams that all of them follow, each counted once per subscription
 * @param requestBytes the body of a request to us
 * @param waitingRequests requests that wait for the engine at a time
 * @param deliveries webhooks under way at a time
 * @param responseBytes the body of an answer to a webhook
 * @param connectTimeout how long to wait for a connection to a webhook's receiver
 * @param deliveryTimeout how long to wait for its answer; at most the subscription's lease
 * @param hints changed streams to remember; beyond it all streams are compared
 * @param logBytes how long the written state grows before it is written anew
 */
public record SubscriptionLimits(
    int subscriptions,
    int streamsPerSubscription,
    int links,
    int requestBytes,
    int waitingRequests,
    int deliveries,
    int responseBytes,
    Duration connectTimeout,
    Duration deliveryTimeout,
    int hints,
    int logBytes) {
  public SubscriptionLimits {
    if (subscriptions < 1
        || streamsPerSubscription < 1
        || links < 1
        || requestBytes < 1
        || waitingRequests < 1
        || deliveries < 1
        || responseBytes < 1
        || hints < 1
        || logBytes < 1) {
      throw new InvalidInput("a limit of subscriptions is below 1: nothing would be taken");
    }
    if (!connectTimeout.isPositive() || !deliveryTimeout.isPositive()) {
      throw new InvalidInput("webhooks would have no time to be answered: give them some");
    }
  }

  public static SubscriptionLimits defaults() {
    return new SubscriptionLimits(
        10_000,
        10_000,
        1_000_000,
        1 << 20,
        10_000,
        256,
        64 << 10,
        Duration.ofSeconds(5),
        Duration.ofSeconds(30),
        100_000,
        16 << 20);
  }
}
