/**
 * The control center's web page: static files. The page calls the admin API like any other client;
 * nothing here knows of stores.
 *
 * <p>Invariant: an address is looked up in a fixed list of names, never in a file system.
 */
@NullMarked
package dev.semel.server.page;

import org.jspecify.annotations.NullMarked;
