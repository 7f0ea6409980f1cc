/**
 * The rules of durable streams: append-only sequences of bytes with producers that are checked by
 * id, epoch and sequence, compare-and-append, closure, expiry and forks.
 *
 * <p>Invariant: check, write, then apply. {@link dev.semel.stream.internal.RequestChecks} looks at
 * the state and changes nothing; what it decides is a {@link
 * dev.semel.stream.internal.StreamChange}, a value that can be written down; only {@link
 * dev.semel.stream.internal.StreamTable#apply} changes the state, and the same changes in the same
 * order always give the same state. So an engine recovers by applying again what it wrote.
 *
 * <p>Start at {@link dev.semel.stream.spi.Streams}, what an engine offers; {@link
 * dev.semel.stream.MemoryStreams} is the one in memory, {@link dev.semel.stream.JournalStreams} the
 * one on a disk, {@link dev.semel.stream.SharedStreams} the one that several servers share. {@link
 * dev.semel.stream.spi.StreamResult} lists all that a caller can be told.
 */
@NullMarked
package dev.semel.stream;

import org.jspecify.annotations.NullMarked;
