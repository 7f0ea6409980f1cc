/**
 * Shows operators what needs them: rules over measurements of a store and its outbox, inbox, jobs
 * and disks, each with a limit, and alerts that begin and end.
 *
 * <p>Invariant: rules read no clock and no store. A {@link dev.semel.alert.internal.AlertSample} is
 * taken at an instant, and alerts depend only on it and on earlier samples. A missing measurement
 * neither begins nor ends an alert.
 *
 * <p>Start at {@link dev.semel.alert.internal.AlertList}; {@link dev.semel.alert.AlertWatch}
 * measures and reports periodically.
 */
@NullMarked
package dev.semel.alert;

import org.jspecify.annotations.NullMarked;
