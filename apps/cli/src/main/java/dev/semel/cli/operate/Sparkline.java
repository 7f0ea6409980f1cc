package dev.semel.cli.operate;

import java.util.Arrays;

/** Draws numbers as a row of bars, relative to the largest. */
final class Sparkline {
  private static final String BARS = "▁▂▃▄▅▆▇█";
  private static final char NOTHING = '·';

  private Sparkline() {}

  static String of(long[] values) {
    long most = Arrays.stream(values).max().orElse(0);
    StringBuilder line = new StringBuilder();
    for (long value : values) {
      line.append(value <= 0 ? NOTHING : BARS.charAt(height(value, most)));
    }
    return line.toString();
  }

  private static int height(long value, long most) {
    return (int) Math.round((double) value / most * (BARS.length() - 1));
  }
}
