package dev.semel.server.subscription.internal;

import dev.semel.server.subscription.internal.rules.SubscriptionTable;
import dev.semel.server.subscription.internal.rules.SubscriptionViews;
import dev.semel.server.subscription.internal.rules.WakeTokens;

/** All that hangs on one load of the state; after a failed write it is replaced as a whole. */
record LoadedState(
    SubscriptionTable table, SubscriptionViews views, WakeTokens tokens, DecisionLog ledger) {}
