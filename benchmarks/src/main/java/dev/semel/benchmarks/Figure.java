package dev.semel.benchmarks;

import java.util.Locale;

/**
 * One thing that was measured, and what beside. What is missing is {@link Double#NaN}.
 *
 * @param unit {@code /s} if more is better, else what is better if there is less of it
 * @param other what ran beside it, empty if nothing did
 * @param peer whether that is another way to the same end, and not the limit of any
 * @param ratio how many times better ours is, as the median of neighbouring rounds
 * @param goal the least ratio that we want, or without another the value itself
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

  /** The median of rounds, and how far they were apart. */
  public record Spread(double median, double least, double most) {
    static final Spread NONE = new Spread(Double.NaN, Double.NaN, Double.NaN);
  }

  /** Beside nothing. */
  public static Figure alone(String title, double ours, String unit, double goal) {
    return new Figure(title, ours, unit, "", false, Double.NaN, Spread.NONE, goal);
  }

  /** Beside a limit, of which one ratio is known. */
  public static Figure beside(String title, double ours, String unit, String other, double others) {
    double ratio = unit.equals("/s") ? ours / others : others / ours;
    return new Figure(
        title, ours, unit, other, false, others, new Spread(ratio, ratio, ratio), Double.NaN);
  }

  /** The same beside another way to the same end. */
  public Figure withPeer() {
    return new Figure(title, ours, unit, other, true, others, ratio, goal);
  }

  /** What we hoped for, and whether it was so. */
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

  /** Three digits say all that such a figure knows. */
  private static String shown(double value) {
    if (value >= 100) {
      double step = Math.pow(10, Math.floor(Math.log10(value)) - 2);
      return String.format(Locale.ROOT, "%,.0f", Math.round(value / step) * step);
    }
    return String.format(Locale.ROOT, value >= 10 ? "%.1f" : "%.2f", value);
  }

  /** For whoever watches. */
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
