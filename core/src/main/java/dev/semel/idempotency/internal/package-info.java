/**
 * The implementation of {@code dev.semel.idempotency}: claims, leases, outages, the in-memory
 * store. Not for applications or engines; it may change in any version.
 */
@NullMarked
package dev.semel.idempotency.internal;

import org.jspecify.annotations.NullMarked;
