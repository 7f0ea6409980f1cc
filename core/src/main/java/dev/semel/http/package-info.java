/**
 * Idempotency over HTTP, independent of any server: which requests are guarded, their keys and
 * fingerprints, and the answers that callers get. The servlet filter and the gateway both use it.
 *
 * <p>Invariant: a duplicate gets either the first answer, byte for byte, or a problem document that
 * says why not.
 *
 * <p>Start at {@link dev.semel.http.HttpIdempotency}; {@link dev.semel.http.HttpProfile} is the one
 * table from outcomes to status codes.
 */
@NullMarked
package dev.semel.http;

import org.jspecify.annotations.NullMarked;
