/**
 * The only place that starts threads. A {@link dev.semel.loop.internal.Loop} repeats a step that
 * knows nothing of threads, so tests call the step themselves.
 */
@NullMarked
package dev.semel.loop.internal;

import org.jspecify.annotations.NullMarked;
