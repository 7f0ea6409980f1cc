/**
 * Our client of streams behind the public conformance protocol for clients of Durable Streams: one
 * command a line in, one answer a line out, so that a suite written for any client can examine this
 * one.
 *
 * <p>Invariant: every line that is not blank gets exactly one answer, in order; every failure is an
 * answer too. Everything here could be done by a user of {@link
 * dev.semel.stream.client.StreamClient}, because the suite examines the client.
 *
 * <p>Start at {@link dev.semel.cli.adapter.ClientAdapter}; {@code AdapterCommands} is the table of
 * commands, and {@code AdapterFailures} names the failures in the protocol's words.
 */
@NullMarked
package dev.semel.cli.adapter;

import org.jspecify.annotations.NullMarked;
