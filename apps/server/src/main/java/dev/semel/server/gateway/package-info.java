/**
 * A reverse proxy that guards the requests of any service: what {@code dev.semel.http} decides,
 * said over Vert.x.
 *
 * <p>Invariant: a key is given back only if nothing of its request was sent to the service, or the
 * service answered; in every other case it is left in doubt. Event loops never wait: an execution
 * asks the store on a virtual thread, and its call to the service is made on the connection's loop.
 *
 * <p>Start at {@link dev.semel.server.gateway.Gateway}; {@link
 * dev.semel.server.gateway.GatewayVerticle} wires one loop's part together.
 */
@NullMarked
package dev.semel.server.gateway;

import org.jspecify.annotations.NullMarked;
