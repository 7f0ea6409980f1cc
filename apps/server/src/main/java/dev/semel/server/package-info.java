/**
 * The server: settings, who may do what, and which route a request takes. Start at {@link
 * dev.semel.server.SemelServer}, which does all that {@code semel serve} does with what {@link
 * dev.semel.server.ServerBackend} names; the wiring is in {@link dev.semel.server.ServerVerticle}.
 *
 * <p>Below it: {@code .stream} turns bytes into calls of an engine and back; {@code .subscription}
 * wakes workers, and keeps its state in reserved streams of the same engine; {@code .admin} turns a
 * call into one of a control center, on virtual threads; {@code .page} hands out files from a fixed
 * list; {@code .gateway} is a reverse proxy that executes what {@code dev.semel.http} decides;
 * {@code .backup} copies what is kept in files; {@code .metrics} reads beside the loops, at most
 * once a second; all see {@code .http}.
 *
 * <p>Everything of a connection happens on its event loop. Appends of one turn of a loop are one
 * batch, and readers of a loop that wait at the same place are woken and read for as one.
 */
@NullMarked
package dev.semel.server;

import org.jspecify.annotations.NullMarked;
