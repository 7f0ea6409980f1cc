/**
 * The source of webhooks' events: {@link dev.semel.webhook.internal.EventFeed} follows the event
 * log.
 */
@NullMarked
package dev.semel.webhook.internal;

import org.jspecify.annotations.NullMarked;
