/**
 * The vocabulary every other package speaks: who asks ({@link dev.semel.Tenant}), for what ({@link
 * dev.semel.Operation}), which one ({@link dev.semel.Key}), who holds it ({@link dev.semel.Token}),
 * and what follows from it ({@link dev.semel.ExecutionOrigin}).
 *
 * <p>Invariant: a value of these types is valid; whatever is wrong was refused at its constructor
 * with a message that says what to do. Nothing here does I/O or knows another package.
 *
 * <p>Start at {@link dev.semel.Key}, then go to {@code dev.semel.idempotency.Idempotency}.
 */
@NullMarked
package dev.semel;

import org.jspecify.annotations.NullMarked;
