/**
 * The cost of an operation as the numbers of workers, keys, streams or relays grow.
 *
 * <p>Invariant: every figure goes into a file, and plots are drawn from that file alone, so that
 * separate runs of engines share one picture.
 *
 * <p>Start at {@link dev.semel.benchmarks.growth.Figures}.
 */
@NullMarked
package dev.semel.benchmarks.growth;

import org.jspecify.annotations.NullMarked;
