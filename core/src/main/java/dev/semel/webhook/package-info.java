/**
 * Tells others over HTTP: alerts, and by choice events such as duplicates.
 *
 * <p>Invariant: what is sent has an id that is the same each time it is sent, so that a receiver
 * can drop what it had before. Nothing that happens here holds up who tells: what is too much is
 * counted. Neither the secret nor the address, which may hold one, is ever shown.
 *
 * <p>Start at {@link dev.semel.webhook.WebhookSender}.
 */
@NullMarked
package dev.semel.webhook;

import org.jspecify.annotations.NullMarked;
