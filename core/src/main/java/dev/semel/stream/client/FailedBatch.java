package dev.semel.stream.client;

import java.util.List;

/**
 * Messages that a producer could not get into the stream, in the order in which they were appended.
 *
 * @param seq {@link #UNSENT} if it never had one
 * @param inDoubt whether it may be in the stream all the same: it was sent, and no answer came
 */
public record FailedBatch(
    String producer, long epoch, long seq, List<byte[]> messages, boolean inDoubt) {
  public static final long UNSENT = -1;
}
