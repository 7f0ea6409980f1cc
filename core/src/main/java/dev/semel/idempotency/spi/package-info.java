/**
 * What an engine implements to keep keys. Start at {@link dev.semel.idempotency.spi.Store}; the
 * contract of {@link dev.semel.idempotency.spi.IdempotencyStore} is in semel-tck. Applications use
 * {@code dev.semel.idempotency} and need nothing from here but the type {@code Store}.
 */
@NullMarked
package dev.semel.idempotency.spi;

import org.jspecify.annotations.NullMarked;
