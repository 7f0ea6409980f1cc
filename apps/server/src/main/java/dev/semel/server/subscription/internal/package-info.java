/**
 * Runs subscriptions: {@link dev.semel.server.subscription.internal.SubscriptionDriver} decides by
 * the rules, writes, and only then answers and calls.
 */
@NullMarked
package dev.semel.server.subscription.internal;

import org.jspecify.annotations.NullMarked;
