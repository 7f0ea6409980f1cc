package dev.semel.server.subscription.internal;

import dev.semel.server.subscription.internal.rules.SubscriptionTable;
import dev.semel.server.subscription.internal.rules.SubscriptionViews;
import dev.semel.server.subscription.internal.rules.WakeTokens;

/** The state of one load, and all that depends on it; a failed write replaces it as a whole. */
record LoadedState(
    SubscriptionTable table, SubscriptionViews views, WakeTokens tokens, DecisionLog ledger) {}
