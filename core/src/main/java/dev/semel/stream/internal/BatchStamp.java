package dev.semel.stream.internal;

import dev.semel.stream.spi.ProducerTuple;

/**
 * The batch's mark that is written with its data.
 *
 * @param managed the epoch was counted by us; such producers are kept apart from the others
 */
public record BatchStamp(ProducerTuple tuple, boolean managed) {}
