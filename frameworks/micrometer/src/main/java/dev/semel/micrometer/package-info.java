/**
 * Micrometer meters and observations of Semel.
 *
 * <p>Invariant: tags have few values. An operation, a destination or a consumer beyond the limit is
 * counted as {@code other}; tenants, ids and keys are never tags. A background thread reads the
 * store, never an execution.
 *
 * <p>Start at {@link dev.semel.micrometer.SemelMeters}.
 */
@NullMarked
package dev.semel.micrometer;

import org.jspecify.annotations.NullMarked;
