/**
 * The other end of the wire: streams on a server, over HTTP and nothing but the JDK's own client.
 *
 * <p>{@link dev.semel.stream.client.HttpStreams} is the whole SPI of an engine, spoken to a server.
 */
@NullMarked
package dev.semel.stream.client;

import org.jspecify.annotations.NullMarked;
