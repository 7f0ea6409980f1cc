/**
 * Subscriptions: durable cursors over streams that wake a worker, by webhook or by an event on a
 * wake stream, when there is something behind them.
 *
 * <p>Invariant: decide, write, then tell. {@link dev.semel.server.subscription.SubscriptionRules}
 * decides on a {@link dev.semel.server.subscription.SubscriptionTable} without any IO; what it
 * decides are {@link dev.semel.server.subscription.SubscriptionChange}s, and nobody hears of them
 * (no answer, no webhook, no wake event) before the engine has kept them. The same changes in the
 * same order give the same table, so a restart is a replay. A wake may come twice, it never gets
 * lost, and a generation has one holder.
 *
 * <p>Start at {@link dev.semel.server.subscription.Subscriptions}; the order of steps is in {@link
 * dev.semel.server.subscription.SubscriptionDriver}.
 */
@NullMarked
package dev.semel.server.subscription;

import org.jspecify.annotations.NullMarked;
