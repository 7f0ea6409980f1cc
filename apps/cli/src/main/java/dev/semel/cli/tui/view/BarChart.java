package dev.semel.cli.tui.view;

import java.util.List;
import java.util.function.DoubleFunction;

/** Draws values as bars side by side, over the width of a canvas. */
final class BarChart {
  private static final String STEPS = " ▁▂▃▄▅▆▇█";
  private static final int EIGHTHS = 8;

  private BarChart() {}

  /**
   * @param top value that reaches the upper edge
   */
  static void draw(Canvas sheet, List<Double> values, double top, DoubleFunction<TextTone> tone) {
    if (values.isEmpty() || top <= 0) {
      return;
    }
    for (int x = 0; x < sheet.width(); x++) {
      double value = values.get(x * values.size() / sheet.width());
      int eighths =
          value <= 0
              ? 0
              : (int) Math.max(1, Math.round(Math.min(1, value / top) * sheet.height() * EIGHTHS));
      for (int y = 0; y < sheet.height(); y++) {
        int here = Math.clamp(eighths - (sheet.height() - 1 - y) * EIGHTHS, 0, EIGHTHS);
        if (here > 0) {
          sheet.text(x, y, STEPS.substring(here, here + 1), tone.apply(value));
        }
      }
    }
  }

  /** One horizontal bar: its share of the columns. */
  static String lying(double share, int columns) {
    int full = (int) Math.round(Math.clamp(share, 0.0, 1.0) * columns);
    return "━".repeat(full);
  }
}
