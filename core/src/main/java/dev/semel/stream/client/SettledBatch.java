package dev.semel.stream.client;

import org.jspecify.annotations.Nullable;

/** A batch with its acknowledgement or its failure. */
record SettledBatch(
    ProducerBatch batch, @Nullable ProducerAck ack, @Nullable ProducerException failure) {}
