/**
 * What an operator may see and do, in one place: routes, commands and screens only render it.
 *
 * <p>Invariant: nothing in core knows this package, so nothing here can sit in an execution's path.
 *
 * <p>Start at {@link dev.semel.admin.Admin}; {@link dev.semel.admin.Backend} is what a store's
 * module opens for it.
 */
@NullMarked
package dev.semel.admin;

import org.jspecify.annotations.NullMarked;
