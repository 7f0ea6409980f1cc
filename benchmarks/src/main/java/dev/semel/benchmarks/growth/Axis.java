package dev.semel.benchmarks.growth;

import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** The label of an axis, and whether it is logarithmic. */
public record Axis(String label, boolean log) {
  private static final int MOST_TICKS = 8;

  public static Axis log(String label) {
    return new Axis(label, true);
  }

  public static Axis linear(String label) {
    return new Axis(label, false);
  }

  /** The scale across the picture; a linear axis begins at zero. */
  Scale scale(List<Double> values, double from, double to) {
    double least = values.stream().min(Double::compare).orElse(1.0);
    double most = values.stream().max(Double::compare).orElse(10.0);
    List<Double> own = values.stream().distinct().sorted().toList();
    if (!log) {
      List<Double> ticks = linearTicks(most <= 0 ? 1 : most);
      return new Scale(false, 0, ticks.getLast(), from, to, ticks);
    }
    // The measured sizes are the best ticks if they are few.
    boolean sizes = own.size() <= MOST_TICKS && from < to;
    double low = sizes ? least : Math.pow(10, Math.floor(Math.log10(least)));
    double high = sizes ? most : Math.pow(10, Math.ceil(Math.log10(most)));
    return new Scale(
        true, low, high > low ? high : low * 10, from, to, sizes ? own : logTicks(low, high));
  }

  private static List<Double> linearTicks(double most) {
    double step = Math.pow(10, Math.floor(Math.log10(most / 4)));
    for (double factor : new double[] {2, 2.5, 2}) {
      step *= most / step > MOST_TICKS ? factor : 1;
    }
    double each = step;
    return IntStream.rangeClosed(0, (int) Math.ceil(most / each)).mapToObj(i -> i * each).toList();
  }

  static List<Double> logTicks(double low, double high) {
    int first = (int) Math.round(Math.log10(low));
    int last = (int) Math.round(Math.log10(high));
    boolean few = last - first <= 2;
    return IntStream.rangeClosed(first, last)
        .boxed()
        .flatMapToDouble(
            e -> {
              double ten = Math.pow(10, e);
              return few && e < last
                  ? DoubleStream.of(ten, 2 * ten, 5 * ten)
                  : DoubleStream.of(ten);
            })
        .boxed()
        .toList();
  }
}
