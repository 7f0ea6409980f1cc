/**
 * The only place that starts threads. A {@link dev.semel.loop.Loop} repeats a step that knows
 * nothing of threads, so tests call the step themselves.
 */
@NullMarked
package dev.semel.loop;

import org.jspecify.annotations.NullMarked;
