/**
 * A small strict JSON reader and writer, so that bodies can be compared and log lines written
 * without a library.
 *
 * <p>Invariant: every {@link dev.semel.json.JsonValue} can be written, and what was written reads
 * back as an equal value: broken text and numbers beyond the limits are refused at its constructor.
 * Numbers are exact decimals; nothing here ever passes through a {@code double} unasked.
 *
 * <p>Start at {@link dev.semel.json.Json}.
 */
@NullMarked
package dev.semel.json;

import org.jspecify.annotations.NullMarked;
