/**
 * Tells operators what needs them: rules over what is measured of a store and of what stands beside
 * it, each with a limit, and alerts that begin and end.
 *
 * <p>Invariant: rules know no clock and ask nobody. A {@link dev.semel.alert.internal.AlertSample}
 * is taken at an instant, and what follows from it depends on nothing but it and those before. What
 * could not be measured neither begins an alert nor ends one.
 *
 * <p>Start at {@link dev.semel.alert.internal.AlertList}; {@link dev.semel.alert.AlertWatch} is who
 * asks again and again, and tells.
 */
@NullMarked
package dev.semel.alert;

import org.jspecify.annotations.NullMarked;
