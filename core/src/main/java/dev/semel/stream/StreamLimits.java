package dev.semel.stream;

import dev.semel.InvalidInput;
import java.time.Duration;

/**
 * The limits of a stream engine. An error names the limit that was reached.
 *
 * @param streams all streams of callers, including those kept only for their forks
 * @param producersPerStream how many producers a stream remembers at a time
 * @param bodyBytes the stored size of one append
 * @param queuedBytes appends that wait for earlier ones to be written
 * @param waiters readers that wait for data at a time, over all streams
 * @param producerIdle how long an idle producer is remembered
 */
public record StreamLimits(
    int streams,
    int producersPerStream,
    int bodyBytes,
    long queuedBytes,
    int waiters,
    Duration producerIdle) {
  public StreamLimits {
    if (streams < 1 || producersPerStream < 1 || bodyBytes < 1 || queuedBytes < 1 || waiters < 1) {
      throw new InvalidInput("a limit of streams is below 1: nothing would be taken");
    }
    if (!producerIdle.isPositive()) {
      throw new InvalidInput("producers would be forgotten at once: give them time");
    }
  }

  public static StreamLimits defaults() {
    return new StreamLimits(1_000_000, 10_000, 16 << 20, 64L << 20, 100_000, Duration.ofDays(7));
  }
}
