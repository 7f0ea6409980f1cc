package dev.semel.server.subscription;

/** Small limits for tests. */
final class SmallLimits {
  private SmallLimits() {}

  static SubscriptionLimits logBytes(int bytes) {
    SubscriptionLimits d = SubscriptionLimits.defaults();
    return new SubscriptionLimits(
        d.subscriptions(),
        d.streamsPerSubscription(),
        d.links(),
        d.requestBytes(),
        d.waitingRequests(),
        d.deliveries(),
        d.responseBytes(),
        d.connectTimeout(),
        d.deliveryTimeout(),
        d.hints(),
        bytes);
  }

  static SubscriptionLimits of(int streamsPerSubscription, int requestBytes, int hints) {
    SubscriptionLimits d = SubscriptionLimits.defaults();
    return new SubscriptionLimits(
        d.subscriptions(),
        streamsPerSubscription,
        d.links(),
        requestBytes,
        d.waitingRequests(),
        1,
        d.responseBytes(),
        d.connectTimeout(),
        d.deliveryTimeout(),
        hints,
        d.logBytes());
  }
}
