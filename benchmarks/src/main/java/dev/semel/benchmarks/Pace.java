package dev.semel.benchmarks;

import java.time.Duration;

/** How long a race takes: the full time for a figure, or a short time to check that it runs. */
public enum Pace {
  USUAL(1),
  QUICK(10);

  private final int part;

  Pace(int part) {
    this.part = part;
  }

  public int rounds(int usual) {
    return this == QUICK ? 1 : usual;
  }

  public Duration round(Duration usual) {
    return usual.dividedBy(part);
  }

  /** The number of messages, calls or other items. */
  public int count(int usual) {
    return usual / part;
  }
}
