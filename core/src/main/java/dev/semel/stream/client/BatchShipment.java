package dev.semel.stream.client;

import dev.semel.stream.client.internal.BatchRequest;

/** A batch with the request that carries it this time. */
record BatchShipment(ProducerBatch batch, BatchRequest batchRequest) {}
