package dev.semel.benchmarks;

import java.time.Duration;

/** How long a race takes: as it must for a figure, or just to see that it runs. */
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

  /** Of messages, calls and whatever else is counted. */
  public int count(int usual) {
    return usual / part;
  }
}
