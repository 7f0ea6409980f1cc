/**
 * Durable streams over HTTP: turns a request's bytes into a call of {@link
 * dev.semel.stream.spi.Streams}, and its answer into a status and headers. No rule of the protocol
 * is decided here that an engine could decide.
 */
@NullMarked
package dev.semel.server.stream;

import org.jspecify.annotations.NullMarked;
