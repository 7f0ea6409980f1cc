/**
 * The control center's web page: files that a browser gets as they are. What it shows and does, it
 * asks of the admin API like anyone else; nothing here knows of stores.
 *
 * <p>Invariant: an address is looked up in a fixed list of names, never in a file system.
 */
@NullMarked
package dev.semel.server.page;

import org.jspecify.annotations.NullMarked;
