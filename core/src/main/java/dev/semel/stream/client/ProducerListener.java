package dev.semel.stream.client;

/**
 * Receives the results of an {@link IdempotentProducer}'s batches, in their order. Called on the
 * producer's own thread, which sends nothing meanwhile: be quick, and don't wait for the producer.
 */
public interface ProducerListener {
  /** Ignores all results. */
  ProducerListener NONE = new ProducerListener() {};

  default void acknowledged(ProducerAck ack) {}

  /** A batch failed; the exception holds it. */
  default void failed(ProducerException failure) {}
}
