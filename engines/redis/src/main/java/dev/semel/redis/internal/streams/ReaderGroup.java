package dev.semel.redis.internal.streams;

import java.time.Duration;

/**
 * The readers of one consumer on a destination.
 *
 * @param partitions the destination's number of partitions
 * @param lease of a partition
 * @param silence after this long without a sign of life the reader's leases are not renewed
 */
public record ReaderGroup(
    String destination, String consumer, int partitions, Duration lease, Duration silence) {}
