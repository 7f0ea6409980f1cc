package dev.semel.stream;

import dev.semel.stream.internal.local.MemoryData;
import java.time.InstantSource;

/**
 * Keeps all streams in this process: for tests, demos, and data that may be lost with it. A crash
 * loses everything, producers included.
 */
public final class MemoryStreams extends LocalStreams {
  public MemoryStreams(InstantSource clock) {
    this(clock, StreamLimits.defaults(), StreamRetention.FOR_EVER);
  }

  public MemoryStreams(InstantSource clock, StreamLimits limits, StreamRetention retention) {
    this(clock, limits, retention, new MemoryData(change -> {}));
  }

  MemoryStreams(
      InstantSource clock, StreamLimits limits, StreamRetention retention, MemoryData data) {
    super(clock, limits, retention, data);
  }

  /** There is nothing to close. */
  @Override
  public void close() {}
}
