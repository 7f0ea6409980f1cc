/**
 * Idempotency over HTTP, without a word of any server: which requests are guarded, what their keys
 * and fingerprints are, and what callers are told. The servlet filter and the gateway both use it.
 *
 * <p>Invariant: whatever is sent to a client who was not the first is either the first answer, byte
 * for byte, or a problem that says why not.
 *
 * <p>Start at {@link dev.semel.http.HttpIdempotency}; {@link dev.semel.http.HttpProfile} is the one
 * table from outcomes to status codes.
 */
@NullMarked
package dev.semel.http;

import org.jspecify.annotations.NullMarked;
