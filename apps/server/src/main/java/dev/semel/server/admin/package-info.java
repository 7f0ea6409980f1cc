/**
 * The admin API: {@link dev.semel.admin.ControlCenter} over HTTP. Routes only parse a call and
 * render its answer.
 *
 * <p>Invariant: no event loop waits for a store. Each call runs on a virtual thread, and a slow
 * reader of live events loses events instead of delaying others.
 *
 * <p>Start at {@link dev.semel.server.admin.AdminApi}. The {@code …Routes} classes answer each
 * {@link dev.semel.admin.document.internal.AdminAction}, and {@code OpenApi} describes exactly
 * those.
 */
@NullMarked
package dev.semel.server.admin;

import org.jspecify.annotations.NullMarked;
