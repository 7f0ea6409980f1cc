/**
 * What happened, as small records: one stream of them feeds meters, logs and everything else a
 * person sees.
 *
 * <p>Invariant: an event holds keys, ids and counts, never payloads, tokens or fingerprints of
 * requests. Listeners are called on the thread that decided, so they must be quick and must not
 * throw; one that throws is counted and ignored.
 *
 * <p>Start at {@link dev.semel.event.Event}; {@link dev.semel.event.JsonLog} is the listener that
 * writes log lines.
 */
@NullMarked
package dev.semel.event;

import org.jspecify.annotations.NullMarked;
