/**
 * The client side of {@code Idempotency-Key}: sends a request until it gets a decisive answer,
 * always with the same key, and returns the result.
 *
 * <p>Invariant: all tries of one call carry one key, and whatever the result is, the caller gets
 * that key and can continue with it later.
 *
 * <p>Start at {@link dev.semel.http.client.IdempotentClient}; {@link
 * dev.semel.http.client.AnswerVerdict} is the decision table for answers.
 */
@NullMarked
package dev.semel.http.client;

import org.jspecify.annotations.NullMarked;
