package dev.semel.stream.client;

import org.jspecify.annotations.Nullable;

/** A batch and what became of it: one of the two. */
record Settled(Batch batch, @Nullable Ack ack, @Nullable ProducerException failure) {}
