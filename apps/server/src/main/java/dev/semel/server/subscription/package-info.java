/**
 * Subscriptions: durable cursors over streams that wake a worker, by webhook or by an event on a
 * wake stream, when there is something behind them.
 *
 * <p>Invariant: decide, write, then notify. {@link
 * dev.semel.server.subscription.internal.rules.SubscriptionRules} decides on a {@link
 * dev.semel.server.subscription.internal.rules.SubscriptionTable} without I/O. Its decisions are
 * {@link dev.semel.server.subscription.internal.rules.SubscriptionChange}s; no answer, webhook or
 * wake event shows them before the engine has stored them. The same changes in the same order give
 * the same table, so a restart is a replay. A wake may come twice but never gets lost, and a
 * generation has one holder.
 *
 * <p>Start at {@link dev.semel.server.subscription.Subscriptions}; the order of steps is in {@link
 * dev.semel.server.subscription.internal.SubscriptionDriver}.
 */
@NullMarked
package dev.semel.server.subscription;

import org.jspecify.annotations.NullMarked;
