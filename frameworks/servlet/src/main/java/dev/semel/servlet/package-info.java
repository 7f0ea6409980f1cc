/**
 * The {@code Idempotency-Key} header for servlet containers: {@link
 * dev.semel.servlet.IdempotencyFilter} reads a request, asks {@link
 * dev.semel.http.HttpIdempotency}, lets the handler answer into a buffer, and sends the answer once
 * it is recorded.
 *
 * <p>Invariant: no byte of a buffered answer reaches the client before the record of it is written,
 * and a lost client never undoes the record.
 */
@NullMarked
package dev.semel.servlet;

import org.jspecify.annotations.NullMarked;
