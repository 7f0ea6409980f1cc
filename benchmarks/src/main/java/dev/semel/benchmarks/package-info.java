/**
 * Speed, each figure beside its limit in the same run.
 *
 * <p>Invariant: ours and the limit take turns in alternating rounds on the same service, and what
 * is printed is the ratio of their medians; nothing here asserts on time.
 *
 * <p>Start at {@link dev.semel.benchmarks.Main}; {@link dev.semel.benchmarks.Race} takes the
 * measurements.
 */
@NullMarked
package dev.semel.benchmarks;

import org.jspecify.annotations.NullMarked;
