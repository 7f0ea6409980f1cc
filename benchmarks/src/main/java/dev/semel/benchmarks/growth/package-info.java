/**
 * What an operation costs as there is more of everything: workers, keys, streams, relays.
 *
 * <p>Invariant: every figure that was seen goes into a file of figures, and plots are drawn from
 * that file alone, so that runs of single engines add up to one picture.
 *
 * <p>Start at {@link dev.semel.benchmarks.growth.Figures}.
 */
@NullMarked
package dev.semel.benchmarks.growth;

import org.jspecify.annotations.NullMarked;
