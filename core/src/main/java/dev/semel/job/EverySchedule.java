package dev.semel.job;

import dev.semel.InvalidInput;
import java.time.Duration;
import java.time.Instant;

/** Slots at whole multiples of a period since the epoch. */
record EverySchedule(Duration period) implements CronSchedule {
  EverySchedule {
    if (period.compareTo(SHORTEST) < 0 || period.toNanosPart() % 1_000_000 != 0) {
      throw new InvalidInput(
          "a schedule's period is whole milliseconds, at least %d, not %s"
              .formatted(SHORTEST.toMillis(), period));
    }
  }

  @Override
  public Instant next(Instant after) {
    return slot(Math.floorDiv(after.toEpochMilli(), period.toMillis()) + 1);
  }

  @Override
  public Instant previous(Instant before) {
    long millis = before.minusNanos(1).toEpochMilli();
    return slot(Math.floorDiv(millis, period.toMillis()));
  }

  private Instant slot(long number) {
    return Instant.ofEpochMilli(Math.multiplyExact(number, period.toMillis()));
  }

  @Override
  public String toString() {
    return "every " + period;
  }
}
