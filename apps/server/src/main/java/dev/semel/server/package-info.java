/**
 * The server: settings, access, and the routing of requests. Start at {@link
 * dev.semel.server.SemelServer}, which runs all that {@code semel serve} runs, with what {@link
 * dev.semel.server.ServerBackend} names; {@link dev.semel.server.ServerVerticle} wires it together.
 *
 * <p>Below it: {@code .stream} turns bytes into calls of an engine and back; {@code .subscription}
 * wakes workers, and keeps its state in reserved streams of the same engine; {@code .admin} turns a
 * call into one of a control center, on virtual threads; {@code .page} serves files from a fixed
 * list; {@code .gateway} is a reverse proxy that executes what {@code dev.semel.http} decides;
 * {@code .backup} copies the files that a server keeps; {@code .metrics} reads beside the event
 * loops, at most once a second; all of them use {@code .http}.
 *
 * <p>Everything of a connection happens on its event loop. Appends of one turn of a loop are one
 * batch. Readers of a loop that wait at the same place wake together and share one read.
 */
@NullMarked
package dev.semel.server;

import org.jspecify.annotations.NullMarked;
