/**
 * Durable streams over HTTP: from a request's bytes to a call of {@link
 * dev.semel.stream.spi.Streams}, and from its answer to a status and headers. No rule of the
 * protocol is decided here that an engine could decide.
 */
@NullMarked
package dev.semel.server.stream;

import org.jspecify.annotations.NullMarked;
