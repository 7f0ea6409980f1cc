package dev.semel.benchmarks;

import java.util.Locale;

/**
 * One measured figure, and what it is compared with. Missing values are {@link Double#NaN}.
 *
 * @param unit {@code /s} if more is better, otherwise a unit of which less is better
 * @param other the other contender; empty: none
 * @param peer whether that is a peer, another solution of the same problem, instead of a limit
 * @param ratio how many times better ours is, as the median of neighbouring rounds
 * @param goal the smallest acceptable ratio, or without another contender the value itself
 */
public record Figure(
    String title,
    double ours,
    String unit,
    String other,
    boolean peer,
    double others,
    Spread ratio,
    double goal) {

  public Figure {
    if ((title + unit + other).matches("(?s).*[;|\\n].*")) {
      throw new IllegalArgumentException("would end a column: " + title + ", " + other);
    }
  }

  /** The median of rounds, and their range. */
  public record Spread(double median, double least, double most) {
    static final Spread NONE = new Spread(Double.NaN, Double.NaN, Double.NaN);
  }

  /** A figure without another contender. */
  public static Figure alone(String title, double ours, String unit, double goal) {
    return new Figure(title, ours, unit, "", false, Double.NaN, Spread.NONE, goal);
  }

  /** A figure against a limit, with one known ratio. */
  public static Figure beside(String title, double ours, String unit, String other, double others) {
    double ratio = unit.equals("/s") ? ours / others : others / ours;
    return new Figure(
        title, ours, unit, other, false, others, new Spread(ratio, ratio, ratio), Double.NaN);
  }

  /** The same figure, with the other contender marked as a peer. */
  public Figure withPeer() {
    return new Figure(title, ours, unit, other, true, others, ratio, goal);
  }

  /** The goal, and whether it was reached. */
  String verdict() {
    if (Double.isNaN(goal)) {
      return "";
    }
    boolean met =
        other.isEmpty() ? unit.equals("/s") ? ours >= goal : ours <= goal : ratio.median() >= goal;
    return met ? "met" : "missed";
  }

  String shownOurs() {
    return shown(ours) + suffix();
  }

  String shownOther() {
    return other.isEmpty() ? "" : other + ": " + shown(others) + suffix();
  }

  String shownRatio() {
    if (Double.isNaN(ratio.median())) {
      return "";
    }
    String median = shown(ratio.median());
    return ratio.least() == ratio.most()
        ? median
        : "%s (%s–%s)".formatted(median, shown(ratio.least()), shown(ratio.most()));
  }

  String shownGoal() {
    if (Double.isNaN(goal)) {
      return "";
    }
    return other.isEmpty() ? shown(goal) + suffix() : shown(goal);
  }

  private String suffix() {
    return unit.equals("/s") ? unit : " " + unit;
  }

  /** Three digits are all that such a figure is good for. */
  private static String shown(double value) {
    if (value >= 100) {
      double step = Math.pow(10, Math.floor(Math.log10(value)) - 2);
      return String.format(Locale.ROOT, "%,.0f", Math.round(value / step) * step);
    }
    return String.format(Locale.ROOT, value >= 10 ? "%.1f" : "%.2f", value);
  }

  /** For the console. */
  @Override
  public String toString() {
    return "%-58s %14s   %-52s %s %s"
        .formatted(
            title,
            shownOurs(),
            shownOther(),
            ratio.equals(Spread.NONE) ? "" : "ratio " + shownRatio(),
            verdict().isEmpty() ? "" : "  goal " + shownGoal() + "  " + verdict())
        .stripTrailing();
  }
}
