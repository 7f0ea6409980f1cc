/**
 * Requests to subscriptions, and webhooks that they send. Start at {@link
 * dev.semel.server.subscription.internal.http.SubscriptionHandler}.
 */
@NullMarked
package dev.semel.server.subscription.internal.http;

import org.jspecify.annotations.NullMarked;
