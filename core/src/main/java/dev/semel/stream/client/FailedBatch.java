package dev.semel.stream.client;

import java.util.List;

/**
 * Messages that a producer could not append, in the order in which they were appended.
 *
 * @param seq {@link #UNSENT} if it was never sent
 * @param inDoubt true: it may be in the stream, because it was sent and no answer came
 */
public record FailedBatch(
    String producer, long epoch, long seq, List<byte[]> messages, boolean inDoubt) {
  public static final long UNSENT = -1;
}
