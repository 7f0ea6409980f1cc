package dev.semel.stream.client;

import org.jspecify.annotations.Nullable;

/** A batch and what became of it: one of the two. */
record SettledBatch(
    ProducerBatch batch, @Nullable ProducerAck ack, @Nullable ProducerException failure) {}
