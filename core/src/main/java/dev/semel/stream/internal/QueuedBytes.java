package dev.semel.stream.internal;

import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams.Submission;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Bytes of appends that an engine has taken in and not answered yet, and how many there may be. */
public final class QueuedBytes {
  private final long limit;
  private final AtomicLong bytes = new AtomicLong();

  public QueuedBytes(long limit) {
    this.limit = limit;
  }

  /**
   * Counts a batch; one that finds nothing else here is always taken.
   *
   * @return false: there is no room, and all of them were answered with that
   */
  public boolean take(List<Submission> batch) {
    long more = of(batch);
    long waiting = bytes.get();
    if (waiting > 0 && waiting + more > limit) {
      StreamResult.Busy busy = new StreamResult.Busy("queued bytes", limit);
      batch.forEach(each -> each.answered(busy));
      return false;
    }
    bytes.addAndGet(more);
    return true;
  }

  /** These were answered, or are about to be. */
  public void release(List<Submission> batch) {
    bytes.addAndGet(-of(batch));
  }

  /** This one was answered, or is about to be. */
  public void release(Submission one) {
    bytes.addAndGet(-one.request().body().length());
  }

  private static long of(List<Submission> batch) {
    long sum = 0;
    for (Submission each : batch) {
      sum += each.request().body().length();
    }
    return sum;
  }
}
