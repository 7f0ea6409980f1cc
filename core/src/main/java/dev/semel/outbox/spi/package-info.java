/**
 * What an engine implements to keep an outbox: {@link dev.semel.outbox.spi.OutboxStore} for relays,
 * {@link dev.semel.outbox.spi.OutboxOperations} for operators. Its contract is in semel-tck.
 */
@NullMarked
package dev.semel.outbox.spi;

import org.jspecify.annotations.NullMarked;
