/**
 * Idempotent execution: an operation that takes effect once, however often it is asked for.
 *
 * <p>Invariant: who may run is decided by one atomic {@link
 * dev.semel.idempotency.IdempotencyStore#claim claim}, and who may record by the token that claim
 * was made with. Clocks only decide when to try.
 *
 * <p>Start at {@link dev.semel.idempotency.Idempotency}: claim, run, complete. {@link
 * dev.semel.idempotency.StoredRecord#decide} is the whole decision table, {@link
 * dev.semel.idempotency.IdempotencyStore} what an engine has to offer.
 */
@NullMarked
package dev.semel.idempotency;

import org.jspecify.annotations.NullMarked;
