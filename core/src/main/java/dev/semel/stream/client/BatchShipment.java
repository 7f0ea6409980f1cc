package dev.semel.stream.client;

/** A batch, and the request that carries it this time. */
record BatchShipment(ProducerBatch batch, BatchRequest parcel) {}
