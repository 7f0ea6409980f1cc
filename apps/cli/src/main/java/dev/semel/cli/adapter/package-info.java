/**
 * Our client of streams behind the public conformance protocol for clients of Durable Streams: one
 * command a line in, one answer a line out, so that a suite written for any client can examine this
 * one.
 *
 * <p>Invariant: every line that is not blank gets exactly one answer, in order; whatever goes wrong
 * is an answer too. Nothing is done here that a user of {@link
 * dev.semel.stream.client.StreamClient} could not do: it is the client that is examined.
 *
 * <p>Start at {@link dev.semel.cli.adapter.ClientAdapter}; {@code AdapterCommands} is the table of
 * commands, and {@code AdapterFailures} says what each failure is called in the protocol.
 */
@NullMarked
package dev.semel.cli.adapter;

import org.jspecify.annotations.NullMarked;
