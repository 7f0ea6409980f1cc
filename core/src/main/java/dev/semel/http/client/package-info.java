/**
 * The other end of {@code Idempotency-Key}: sends a request until it is answered for good, always
 * with the same key, and tells what became of it.
 *
 * <p>Invariant: all tries of one call carry one key, and whatever the end is, the caller has that
 * key and can go on with it later.
 *
 * <p>Start at {@link dev.semel.http.client.IdempotentClient}; {@link
 * dev.semel.http.client.AnswerVerdict} is the table of what each answer means.
 */
@NullMarked
package dev.semel.http.client;

import org.jspecify.annotations.NullMarked;
