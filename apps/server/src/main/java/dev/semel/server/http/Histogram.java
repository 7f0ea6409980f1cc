package dev.semel.server.http;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/** Counts durations by step, and their sum. Safe for many threads, without locks. */
public final class Histogram {
  /** Steps for what should take no time, such as a decision. */
  public static final List<Duration> FAST =
      List.of(
          Duration.ofNanos(100_000),
          Duration.ofMillis(1),
          Duration.ofMillis(5),
          Duration.ofMillis(10),
          Duration.ofMillis(50),
          Duration.ofMillis(100),
          Duration.ofMillis(500),
          Duration.ofSeconds(1),
          Duration.ofSeconds(5));

  /** Steps for work. */
  public static final List<Duration> SLOW =
      List.of(
          Duration.ofMillis(10),
          Duration.ofMillis(100),
          Duration.ofSeconds(1),
          Duration.ofSeconds(10),
          Duration.ofMinutes(1),
          Duration.ofMinutes(10),
          Duration.ofHours(1),
          Duration.ofHours(24));

  /** Steps for retentions. */
  public static final List<Duration> RETENTIONS =
      List.of(
          Duration.ofMinutes(1),
          Duration.ofHours(1),
          Duration.ofDays(1),
          Duration.ofDays(7),
          Duration.ofDays(30));

  private static final double NANOS = 1e9;

  private final List<Duration> steps;
  private final LongAdder[] counts;
  private final DoubleAdder sum = new DoubleAdder();

  /**
   * @param steps rising; longer durations are counted beyond the last one
   */
  public Histogram(List<Duration> steps) {
    this.steps = List.copyOf(steps);
    this.counts = new LongAdder[steps.size() + 1];
    Arrays.setAll(counts, i -> new LongAdder());
  }

  /** The counts at one moment. */
  public record Counted(List<Duration> steps, List<Long> upTo, long all, double seconds) {}

  public void record(Duration took) {
    int step = 0;
    while (step < steps.size() && took.compareTo(steps.get(step)) > 0) {
      step++;
    }
    counts[step].increment();
    sum.add(took.getSeconds() + took.getNano() / NANOS);
  }

  /** Each step includes all shorter durations; concurrent counts may be missing. */
  public Counted counted() {
    Long[] upTo = new Long[steps.size()];
    long so = 0;
    for (int i = 0; i < upTo.length; i++) {
      so += counts[i].sum();
      upTo[i] = so;
    }
    return new Counted(steps, List.of(upTo), so + counts[steps.size()].sum(), sum.sum());
  }
}
