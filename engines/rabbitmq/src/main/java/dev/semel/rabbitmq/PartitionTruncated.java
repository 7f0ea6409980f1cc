package dev.semel.rabbitmq;

import dev.semel.StoreException;

/** Messages are gone that a consumer never received. */
public final class PartitionTruncated extends StoreException {
  private static final long serialVersionUID = 1L;

  PartitionTruncated(String message) {
    super(message);
  }
}
