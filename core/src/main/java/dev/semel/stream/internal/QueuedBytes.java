package dev.semel.stream.internal;

import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams.Submission;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Limits the bytes of appends that an engine has accepted and not answered yet. */
public final class QueuedBytes {
  private final long limit;
  private final AtomicLong bytes = new AtomicLong();

  public QueuedBytes(long limit) {
    this.limit = limit;
  }

  /**
   * Counts a batch; with nothing else queued it is always accepted.
   *
   * @return false: there is no room, and all of its appends were answered with that
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

  /** Releases appends that were answered, or are about to be. */
  public void release(List<Submission> batch) {
    bytes.addAndGet(-of(batch));
  }

  /** Releases an append that was answered, or is about to be. */
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
