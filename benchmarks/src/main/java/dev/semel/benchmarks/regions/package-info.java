/**
 * Two regions, each with a Redis of its own and asynchronous copies between them: what runs twice.
 *
 * <p>Invariant: an effect is counted where it happens, apart from what any store says of it.
 *
 * <p>Start at {@link dev.semel.benchmarks.regions.RegionsBenchmark}.
 */
@NullMarked
package dev.semel.benchmarks.regions;

import org.jspecify.annotations.NullMarked;
