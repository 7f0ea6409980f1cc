package dev.semel.server.subscription.internal.rules;

import dev.semel.server.subscription.SubscriptionLimits;

/** All that decides, without IO and without a clock of its own. */
public record SubscriptionRules(
    SubscriptionIndex membership, WakeSchedule wakes, WakeLeases holding) {
  public static SubscriptionRules of(SubscriptionLimits limits, RandomSource chance) {
    WakeSchedule wakes = new WakeSchedule(chance);
    return new SubscriptionRules(
        new SubscriptionIndex(limits, wakes), wakes, new WakeLeases(wakes));
  }
}
