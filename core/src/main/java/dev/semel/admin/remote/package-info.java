/**
 * The control center of a server, over its admin API. Whatever the server says no to is said here
 * in the words that the targets itself would use.
 *
 * <p>Start at {@link dev.semel.admin.remote.RemoteControlCenter}.
 */
@NullMarked
package dev.semel.admin.remote;

import org.jspecify.annotations.NullMarked;
