/**
 * Speed, each figure beside its limit and its peers in the same run.
 *
 * <p>Invariant: ours and the other take turns in alternating rounds on the same service, and what
 * is told is the median of their ratios; nothing here asserts on time.
 *
 * <p>Start at {@link dev.semel.benchmarks.Main}; {@link dev.semel.benchmarks.Rounds} takes the
 * measurements, and each is a {@link dev.semel.benchmarks.Figure}, which {@link
 * dev.semel.benchmarks.Page} writes down.
 */
@NullMarked
package dev.semel.benchmarks;

import org.jspecify.annotations.NullMarked;
