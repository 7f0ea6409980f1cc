package dev.semel.stream.client;

import dev.semel.stream.client.internal.AnswerLost;
import dev.semel.stream.client.internal.NotSent;

/** Fetches the data after an offset. For one thread. */
sealed interface ChunkSource permits PageSource, EventSource {
  /**
   * The next chunk, which may hold no data. After an exception the same call may be repeated.
   *
   * @throws NotSent trying again may help, as it may for {@link AnswerLost} and {@link
   *     TransientRefusal}
   */
  StreamChunk next(StreamMark from) throws InterruptedException;
}
