/**
 * The rules of subscriptions, without I/O and without a clock. Start at {@link
 * dev.semel.server.subscription.internal.rules.SubscriptionRules}.
 */
@NullMarked
package dev.semel.server.subscription.internal.rules;

import org.jspecify.annotations.NullMarked;
