/**
 * A small strict JSON reader and writer, so that bodies can be compared and log lines written
 * without a library.
 *
 * <p>Invariant: every {@link dev.semel.json.JsonValue} can be written, and what was written reads
 * back as an equal value: its constructor refuses broken text and numbers beyond the limits.
 * Numbers are exact decimals; they pass through a {@code double} only if the caller gives one.
 *
 * <p>Start at {@link dev.semel.json.Json}.
 */
@NullMarked
package dev.semel.json;

import org.jspecify.annotations.NullMarked;
