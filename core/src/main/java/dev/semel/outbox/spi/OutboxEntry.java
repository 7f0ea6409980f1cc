package dev.semel.outbox.spi;

import dev.semel.transport.Message;

/**
 * A message in the outbox.
 *
 * @param place grows within a partition
 * @param attempts how many tries failed before
 */
public record OutboxEntry(int partition, long place, int attempts, Message message) {}
