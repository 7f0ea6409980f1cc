package dev.semel.outbox.spi;

import java.util.Set;

/**
 * The messages of a partition to read.
 *
 * @param after only messages with a higher place
 * @param heldKeys without the messages with these ordering keys
 * @param heldPlaces without the messages at these places
 */
public record ReadRange(int partition, long after, Set<String> heldKeys, Set<Long> heldPlaces) {}
