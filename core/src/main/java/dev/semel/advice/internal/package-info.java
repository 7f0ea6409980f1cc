/**
 * How recommendations are found: {@link dev.semel.advice.internal.UsageFigures} in, {@link
 * dev.semel.advice.internal.AdviceRules} decide.
 */
@NullMarked
package dev.semel.advice.internal;

import org.jspecify.annotations.NullMarked;
