/**
 * {@code /metrics}: what a store knows of all processes, as Prometheus reads it.
 *
 * <p>Invariant: a scrape never waits on an event loop, and however many scrape, the store is asked
 * at most once a second. Names and labels are those of {@code semel-micrometer}, so that one
 * dashboard serves both; what only applications can measure is named here and left to them.
 *
 * <p>Start at {@link dev.semel.server.metrics.MetricsRoute}.
 */
@NullMarked
package dev.semel.server.metrics;

import org.jspecify.annotations.NullMarked;
