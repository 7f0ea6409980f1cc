package dev.semel.proof.history;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Time that passes by being asked for: a run takes as long as it has steps, however fast the
 * machine. Store and recorders share it. Safe for many threads.
 */
final class TickingClock implements InstantSource {
  private final long tick;
  private final AtomicLong nanos = new AtomicLong();

  TickingClock(Duration tick) {
    this.tick = tick.toNanos();
  }

  long nanos() {
    return nanos.addAndGet(tick);
  }

  void advance(Duration d) {
    nanos.addAndGet(d.toNanos());
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochSecond(0, nanos());
  }
}
