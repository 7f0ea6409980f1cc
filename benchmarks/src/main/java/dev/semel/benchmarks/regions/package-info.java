/**
 * Measures what runs twice with two regions, separate Redis servers and asynchronous copies between
 * them.
 *
 * <p>Invariant: an effect is counted where it happens, independently of any store.
 *
 * <p>Start at {@link dev.semel.benchmarks.regions.RegionsBenchmark}.
 */
@NullMarked
package dev.semel.benchmarks.regions;

import org.jspecify.annotations.NullMarked;
