package dev.semel.tck;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A wrong clock: another clock plus an offset that may jump either way at any moment, as when a
 * machine's clock is set. Safe for many threads.
 */
public final class OffsetClock implements InstantSource {
  private final InstantSource right;
  private final AtomicReference<Duration> offset = new AtomicReference<>(Duration.ZERO);

  public OffsetClock(InstantSource right) {
    this.right = right;
  }

  /** Sets the offset; negative: behind. */
  public void set(Duration ahead) {
    offset.set(ahead);
  }

  @Override
  public Instant instant() {
    return right.instant().plus(offset.get());
  }
}
