/**
 * Idempotent execution: an operation that takes effect once, however often it is asked for.
 *
 * <p>Invariant: one atomic {@link dev.semel.idempotency.spi.IdempotencyStore#claim claim} decides
 * which caller may run, and the token of that claim decides which caller may record. Clocks only
 * decide when to try.
 *
 * <p>Start at {@link dev.semel.idempotency.Idempotency}: claim, run, complete. {@link
 * dev.semel.idempotency.spi.StoredRecord#decide} is the whole decision table, {@link
 * dev.semel.idempotency.spi.IdempotencyStore} is what an engine implements.
 */
@NullMarked
package dev.semel.idempotency;

import org.jspecify.annotations.NullMarked;
