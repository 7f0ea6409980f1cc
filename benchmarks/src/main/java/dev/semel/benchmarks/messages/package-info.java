/** Outbox and inbox against the bare statements of the same work. */
@NullMarked
package dev.semel.benchmarks.messages;

import org.jspecify.annotations.NullMarked;
