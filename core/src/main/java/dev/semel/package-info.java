/**
 * The entry point {@link dev.semel.Semel}, and the words that every other package uses: the caller
 * ({@link dev.semel.Tenant}), the kind of work ({@link dev.semel.Operation}), one request ({@link
 * dev.semel.Key}), one claim of it ({@link dev.semel.Token}), and what work follows from ({@link
 * dev.semel.ExecutionOrigin}).
 *
 * <p>Invariant: a value of these types is valid; its constructor refuses anything else with a
 * message that says what to do. Only {@code Semel} knows the features and does I/O.
 *
 * <p>Start at {@link dev.semel.Semel} and {@link dev.semel.Key}, then go to {@code
 * dev.semel.idempotency.Idempotency}.
 */
@NullMarked
package dev.semel;

import org.jspecify.annotations.NullMarked;
