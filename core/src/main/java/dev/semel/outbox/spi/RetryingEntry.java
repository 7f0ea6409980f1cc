package dev.semel.outbox.spi;

import java.time.Duration;

/**
 * A message that failed and must be tried again.
 *
 * @param due when to try again, from now; zero or less: now
 */
public record RetryingEntry(int partition, long place, String orderingKey, Duration due) {}
