package dev.semel.stream;

import dev.semel.InvalidInput;
import java.time.Duration;

/**
 * How much an engine takes. Each limit has a name, which whoever meets it is told.
 *
 * @param streams all streams of callers, with those only kept for their forks
 * @param producersPerStream producers that a stream remembers at a time
 * @param bodyBytes one append, as it is stored
 * @param queuedBytes appends that wait for those before them to be written
 * @param waiters readers that wait for data at a time, over all streams
 * @param producerIdle how long a producer is remembered that no longer writes
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
