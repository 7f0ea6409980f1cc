package dev.semel.stream.client;

/**
 * Hears what becomes of batches, in their order. Called on the producer's own thread: sending waits
 * meanwhile, so be quick, and don't wait for the producer itself.
 */
public interface ProducerListener {
  /** Hears nothing. */
  ProducerListener NONE = new ProducerListener() {};

  default void acknowledged(ProducerAck ack) {}

  /** The batch is in the failure. */
  default void failed(ProducerException failure) {}
}
