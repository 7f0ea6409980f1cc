package dev.semel.outbox.spi;

import java.time.Duration;

/**
 * A message that failed.
 *
 * @param due after this time; not positive: now
 */
public record RetryingEntry(int partition, long place, String orderingKey, Duration due) {}
