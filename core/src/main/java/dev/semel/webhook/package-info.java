/**
 * Sends alerts, and optionally events such as duplicates, to a receiver over HTTP.
 *
 * <p>Invariant: a message has the same id each time it is sent, so that a receiver can drop
 * duplicates. Sending never blocks the caller: messages beyond the limit are dropped and counted.
 * Neither the secret nor the address, which may hold one, is ever shown.
 *
 * <p>Start at {@link dev.semel.webhook.WebhookSender}.
 */
@NullMarked
package dev.semel.webhook;

import org.jspecify.annotations.NullMarked;
