/**
 * The rules of durable streams: append-only sequences of bytes, with producer checks by id, epoch
 * and sequence, compare-and-append, closure, expiry and forks.
 *
 * <p>Invariant: check, write, then apply. {@link dev.semel.stream.internal.RequestChecks} reads the
 * state and changes nothing; its decision is a {@link dev.semel.stream.internal.StreamChange}, a
 * value that can be stored; only {@link dev.semel.stream.internal.StreamTable#apply} changes the
 * state, and the same changes in the same order always give the same state. So an engine recovers
 * by applying its stored changes again.
 *
 * <p>Start at {@link dev.semel.stream.spi.Streams}, which an engine implements; {@link
 * dev.semel.stream.MemoryStreams} keeps streams in memory, {@link dev.semel.stream.JournalStreams}
 * on disk, {@link dev.semel.stream.SharedStreams} in a log that several servers share. {@link
 * dev.semel.stream.spi.StreamResult} lists all answers to a caller.
 */
@NullMarked
package dev.semel.stream;

import org.jspecify.annotations.NullMarked;
