package dev.semel.tck;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that only the test advances. Safe for many threads. */
public final class ManualClock implements InstantSource {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final AtomicReference<Instant> now = new AtomicReference<>(START);

  public void advance(Duration d) {
    if (d.isNegative()) {
      throw new IllegalArgumentException("time does not run backwards: " + d);
    }
    now.updateAndGet(t -> t.plus(d));
  }

  @Override
  public Instant instant() {
    return now.get();
  }
}
