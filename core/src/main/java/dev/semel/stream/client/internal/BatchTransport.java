package dev.semel.stream.client.internal;

import java.util.function.Consumer;

/** Carries one producer's batches to one stream. Sends each request once and never repeats one. */
public interface BatchTransport extends AutoCloseable {
  /**
   * Sends a request, and returns before the answer arrives.
   *
   * @param reply called exactly once and in good time, even without an answer
   */
  void send(BatchRequest batchRequest, Consumer<BatchResult> reply);

  /** Gives up requests in flight: each has got its reply when this returns. */
  @Override
  void close();
}
