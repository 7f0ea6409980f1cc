/**
 * What to tune, from what was counted: {@link dev.semel.advice.internal.Advisor} reads {@link
 * dev.semel.advice.internal.UsageFigures} and says what it would change, why, and what that saves.
 *
 * <p>Invariant: everything here is pure. Nothing is read from a store and nothing is changed; who
 * gathers the figures and who applies an {@link dev.semel.advice.Advice} is {@code
 * dev.semel.admin}. Where too little was counted there is no advice, and it is said why.
 */
@NullMarked
package dev.semel.advice;

import org.jspecify.annotations.NullMarked;
