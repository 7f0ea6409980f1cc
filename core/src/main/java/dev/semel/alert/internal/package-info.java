/**
 * The evaluation of alerts: {@link dev.semel.alert.internal.AlertSampler} measures, {@link
 * dev.semel.alert.internal.RuleEvaluator} compares with the limits, {@link
 * dev.semel.alert.internal.AlertList} keeps what fires.
 */
@NullMarked
package dev.semel.alert.internal;

import org.jspecify.annotations.NullMarked;
