/**
 * The server: settings, who may do what, and which route a request takes. Start at {@link
 * dev.semel.server.SemelServer}; the wiring is in {@link dev.semel.server.ServerVerticle}.
 */
@NullMarked
package dev.semel.server;

import org.jspecify.annotations.NullMarked;
