package dev.semel.stream.client.internal;

import java.util.function.Consumer;

/** The way of one producer's batches to one stream. Sends once and never repeats by itself. */
public interface BatchTransport extends AutoCloseable {
  /**
   * Sends, and returns before the answer is there.
   *
   * @param reply called exactly once and in good time, also when no answer came
   */
  void send(BatchRequest batchRequest, Consumer<BatchResult> reply);

  /** Gives up what is still under way: it is all replied to when this returns. */
  @Override
  void close();
}
