package dev.semel.rabbitmq;

import dev.semel.StoreException;

/** Thrown when the broker has dropped messages that a consumer never received. */
public final class PartitionTruncated extends StoreException {
  private static final long serialVersionUID = 1L;

  PartitionTruncated(String message) {
    super(message);
  }
}
