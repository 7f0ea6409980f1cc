/**
 * Everything that an operator may see and do, in one place: routes, commands and screens only
 * render it.
 *
 * <p>Invariant: nothing in core knows this package, so nothing here can sit in an execution's path.
 *
 * <p>Start at {@link dev.semel.admin.ControlCenter}. In the same process, {@link
 * dev.semel.admin.AdminTargets} makes one for an operator: {@link dev.semel.admin.StoreAdmin} over
 * a store, {@link dev.semel.admin.JobAdmin} over its jobs.
 */
@NullMarked
package dev.semel.admin;

import org.jspecify.annotations.NullMarked;
