package dev.semel.redis.internal.streams;

import java.time.Duration;

/**
 * Who reads what.
 *
 * @param partitions how many the destination has
 * @param lease of a partition
 * @param silence after so long without a word of the reader its leases are not renewed
 */
public record ReaderGroup(
    String destination, String consumer, int partitions, Duration lease, Duration silence) {}
