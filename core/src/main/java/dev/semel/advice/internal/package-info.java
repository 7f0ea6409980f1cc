/**
 * The search for recommendations: {@link dev.semel.advice.internal.AdviceRules} and {@link
 * dev.semel.advice.internal.RetentionAdvice} judge {@link dev.semel.advice.internal.UsageFigures}.
 */
@NullMarked
package dev.semel.advice.internal;

import org.jspecify.annotations.NullMarked;
