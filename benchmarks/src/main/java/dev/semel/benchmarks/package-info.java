/**
 * Measures speed, and compares each figure with its limit and its peers in the same run.
 *
 * <p>Invariant: both contenders run in alternating rounds on the same service, and the figure is
 * the median of their ratios; nothing here asserts on time.
 *
 * <p>Start at {@link dev.semel.benchmarks.Main}; {@link dev.semel.benchmarks.Rounds} takes the
 * measurements, and each is a {@link dev.semel.benchmarks.Figure}, which {@link
 * dev.semel.benchmarks.Page} publishes.
 */
@NullMarked
package dev.semel.benchmarks;

import org.jspecify.annotations.NullMarked;
