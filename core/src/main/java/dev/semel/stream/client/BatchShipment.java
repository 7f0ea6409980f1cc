package dev.semel.stream.client;

import dev.semel.stream.client.internal.BatchRequest;

/** A batch, and the request that carries it this time. */
record BatchShipment(ProducerBatch batch, BatchRequest batchRequest) {}
