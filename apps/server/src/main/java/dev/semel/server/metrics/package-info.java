/**
 * {@code /metrics}: what a store knows of all processes, in Prometheus's format.
 *
 * <p>Invariant: a scrape never waits on an event loop, and however many scrape, the store is read
 * at most once a second. Names and labels are those of {@code semel-micrometer}, so that one
 * dashboard serves both; what only applications can measure has its name here and is left to them.
 *
 * <p>Start at {@link dev.semel.server.metrics.MetricsRoute}.
 */
@NullMarked
package dev.semel.server.metrics;

import org.jspecify.annotations.NullMarked;
