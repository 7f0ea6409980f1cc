package dev.semel.stream.internal;

import dev.semel.stream.spi.ProducerTuple;

/**
 * The producer's mark that is written with a batch.
 *
 * @param managed true: this engine counts the epochs; such producers are kept apart from the others
 */
public record BatchStamp(ProducerTuple tuple, boolean managed) {}
