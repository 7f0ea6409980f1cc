/**
 * Recommends settings from counts: {@link dev.semel.advice.internal.Advisor} reads {@link
 * dev.semel.advice.internal.UsageFigures} and says what to change, why, and what that saves.
 *
 * <p>Invariant: everything here is pure. Nothing reads or changes a store; {@code dev.semel.admin}
 * gathers the figures and applies an {@link dev.semel.advice.Advice}. Where the counts are too
 * small there is no advice, but a reason.
 */
@NullMarked
package dev.semel.advice;

import org.jspecify.annotations.NullMarked;
