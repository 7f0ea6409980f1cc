package dev.semel.server.subscription.internal.rules;

import dev.semel.server.subscription.SubscriptionLimits;

/** Everything that decides, without I/O and clock. */
public record SubscriptionRules(
    SubscriptionIndex membership, WakeSchedule wakes, WakeLeases holding) {
  public static SubscriptionRules of(SubscriptionLimits limits, RandomSource chance) {
    WakeSchedule wakes = new WakeSchedule(chance);
    return new SubscriptionRules(
        new SubscriptionIndex(limits, wakes), wakes, new WakeLeases(wakes));
  }
}
