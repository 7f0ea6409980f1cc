package dev.semel.stream.client;

import dev.semel.stream.client.internal.AnswerLost;
import dev.semel.stream.client.internal.NotSent;

/** A way to ask for what stands behind an offset. For one thread. */
sealed interface ChunkSource permits PageSource, EventSource {
  /**
   * What came next, which may hold no data. After an exception the same may be asked again.
   *
   * @throws NotSent trying again may help, as it may for {@link AnswerLost} and {@link
   *     TransientRefusal}
   */
  StreamChunk next(StreamMark from) throws InterruptedException;
}
