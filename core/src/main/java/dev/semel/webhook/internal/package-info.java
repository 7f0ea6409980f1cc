/**
 * How webhooks get their events: {@link dev.semel.webhook.internal.EventFeed} reads the event log
 * from where the last one ended.
 */
@NullMarked
package dev.semel.webhook.internal;

import org.jspecify.annotations.NullMarked;
