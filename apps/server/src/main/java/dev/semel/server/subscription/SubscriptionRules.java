package dev.semel.server.subscription;

/** All that decides, without IO and without a clock of its own. */
record SubscriptionRules(SubscriptionIndex membership, WakeSchedule wakes, WakeLeases holding) {
  static SubscriptionRules of(SubscriptionLimits limits, RandomSource chance) {
    WakeSchedule wakes = new WakeSchedule(chance);
    return new SubscriptionRules(
        new SubscriptionIndex(limits, wakes), wakes, new WakeLeases(wakes));
  }
}
