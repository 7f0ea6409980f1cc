/**
 * The only place that starts threads. A {@link dev.semel.loop.internal.Loop} repeats a step that
 * does not depend on threads, so tests call the step directly.
 */
@NullMarked
package dev.semel.loop.internal;

import org.jspecify.annotations.NullMarked;
