package dev.semel.server.subscription;

/** All that decides, without IO and without a clock of its own. */
record Rules(Membership membership, Wakes wakes, Holding holding) {
  static Rules of(SubscriptionLimits limits, Chance chance) {
    Wakes wakes = new Wakes(chance);
    return new Rules(new Membership(limits, wakes), wakes, new Holding(wakes));
  }
}
