/**
 * A reverse proxy that guards the requests of any service: it applies the decisions of {@code
 * dev.semel.http} over Vert.x.
 *
 * <p>Invariant: a key is released only if nothing of its request was sent to the service, or the
 * service answered; in every other case it stays in doubt. Event loops never wait: an execution
 * calls the store on a virtual thread, and calls the service on the connection's event loop.
 *
 * <p>Start at {@link dev.semel.server.gateway.Gateway}; {@link
 * dev.semel.server.gateway.GatewayVerticle} wires one event loop's part together.
 */
@NullMarked
package dev.semel.server.gateway;

import org.jspecify.annotations.NullMarked;
