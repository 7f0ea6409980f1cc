package dev.semel.outbox.spi;

import java.util.Set;

/**
 * What to read of a partition.
 *
 * @param after only what has a higher place
 * @param heldKeys without the messages with these ordering keys
 * @param heldPlaces and without these
 */
public record ReadRange(int partition, long after, Set<String> heldKeys, Set<Long> heldPlaces) {}
