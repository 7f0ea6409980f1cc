/**
 * The rules and the state of streams, which all engines share. Invariant: check, write, then apply.
 * {@link dev.semel.stream.internal.RequestChecks} reads the state and changes nothing; its decision
 * is a {@link dev.semel.stream.internal.StreamChange}. It may change in any version.
 */
@NullMarked
package dev.semel.stream.internal;

import org.jspecify.annotations.NullMarked;
