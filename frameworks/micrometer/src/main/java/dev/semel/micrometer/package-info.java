/**
 * What Semel does, as meters and observations.
 *
 * <p>Invariant: tags are of few values. An operation, a destination or a consumer beyond the limit
 * is counted as {@code other}; tenants, ids and keys are never tags. What has to be read from a
 * store is read by a thread of its own, never in an execution's path.
 *
 * <p>Start at {@link dev.semel.micrometer.SemelMeters}.
 */
@NullMarked
package dev.semel.micrometer;

import org.jspecify.annotations.NullMarked;
