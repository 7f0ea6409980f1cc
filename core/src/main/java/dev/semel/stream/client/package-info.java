/**
 * The client side: streams on a server, over HTTP with the JDK's own client.
 *
 * <p>Programs that use streams start at {@link dev.semel.stream.client.StreamClient}, which works
 * with any server of the protocol: it opens a {@link dev.semel.stream.client.DurableStream}, which
 * a {@link dev.semel.stream.client.StreamReader} reads, and which an {@link
 * dev.semel.stream.client.IdempotentProducer} or an {@link
 * dev.semel.stream.client.OptimisticWriter} extends. Offsets are opaque text here. {@link
 * dev.semel.stream.client.HttpStreams} implements the whole SPI of an engine over a Semel server.
 *
 * <p>The producer's rules are in {@code ProducerWindow}, which has neither threads nor network:
 * batches come from a {@code MessageBacklog}, go out as {@link
 * dev.semel.stream.client.internal.BatchRequest}s by a {@link
 * dev.semel.stream.client.internal.BatchTransport}, and their results come back as {@link
 * dev.semel.stream.client.internal.BatchResult}s.
 *
 * <p>All of them send through one {@code HttpWire}, which sends nothing twice and distinguishes
 * requests that surely never arrived from those that may have.
 */
@NullMarked
package dev.semel.stream.client;

import org.jspecify.annotations.NullMarked;
