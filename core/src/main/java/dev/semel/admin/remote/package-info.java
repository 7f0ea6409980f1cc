/**
 * The control center of a server, over its admin API. A refusal of the server becomes the exception
 * that {@link dev.semel.admin.AdminTargets} in the same process would throw.
 *
 * <p>Start at {@link dev.semel.admin.remote.RemoteControlCenter}.
 */
@NullMarked
package dev.semel.admin.remote;

import org.jspecify.annotations.NullMarked;
