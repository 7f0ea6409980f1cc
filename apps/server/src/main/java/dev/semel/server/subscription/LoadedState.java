package dev.semel.server.subscription;

/** All that hangs on one load of the state; after a failed write it is replaced as a whole. */
record LoadedState(
    SubscriptionTable table, SubscriptionViews views, WakeTokens tokens, DecisionLog ledger) {}
