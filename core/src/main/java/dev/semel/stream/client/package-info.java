/**
 * The other end of the wire: streams on a server, over HTTP and nothing but the JDK's own client.
 *
 * <p>Start with {@link dev.semel.stream.client.StreamClient}, for programs that use streams of any
 * server of the protocol: it opens a {@link dev.semel.stream.client.DurableStream}, which a {@link
 * dev.semel.stream.client.StreamReader} reads, and which an {@link
 * dev.semel.stream.client.IdempotentProducer} or an {@link
 * dev.semel.stream.client.OptimisticWriter} extends. Offsets are opaque text here. {@link
 * dev.semel.stream.client.HttpStreams} is the whole SPI of an engine, spoken to a Semel server.
 *
 * <p>The producer's rules are {@code ProducerWindow}, which knows neither threads nor network:
 * batches come from a {@code MessageBacklog}, go out as {@link
 * dev.semel.stream.client.BatchRequest}s by a {@link dev.semel.stream.client.BatchTransport}, and
 * what became of them comes back as a {@link dev.semel.stream.client.BatchResult}.
 *
 * <p>All send through one {@code HttpWire}, which sends nothing twice and tells what surely never
 * arrived from what may have.
 */
@NullMarked
package dev.semel.stream.client;

import org.jspecify.annotations.NullMarked;
