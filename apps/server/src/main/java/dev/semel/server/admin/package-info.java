/**
 * The admin API: what {@link dev.semel.admin.ControlCenter} says, over HTTP. Routes only read what
 * was asked and render what was answered.
 *
 * <p>Invariant: nothing here asks a store on an event loop. Each call waits on a virtual thread,
 * and a reader of live events that is slow loses events instead of holding anyone up.
 *
 * <p>Start at {@link dev.semel.server.admin.AdminApi}; how each action of {@link
 * dev.semel.admin.document.internal.AdminAction} is answered stands in the {@code …Routes} classes,
 * and {@code OpenApi} describes exactly those.
 */
@NullMarked
package dev.semel.server.admin;

import org.jspecify.annotations.NullMarked;
