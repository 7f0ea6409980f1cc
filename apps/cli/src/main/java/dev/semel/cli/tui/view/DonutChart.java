package dev.semel.cli.tui.view;

/** Draws a ring that is filled clockwise from the top, according to a share; in Braille dots. */
final class DonutChart {
  /** Dots of a cell, as Braille numbers them: column, row → bit. */
  private static final int[][] BITS = {{0, 3}, {1, 4}, {2, 5}, {6, 7}};

  private static final int BRAILLE = 0x2800;
  private static final int DOTS_ACROSS = 2;
  private static final int DOTS_DOWN = 4;
  private static final double HOLE = 0.68;

  private DonutChart() {}

  static void draw(Canvas sheet, double share, String label, TextTone tone) {
    int rows = sheet.height();
    int columns = Math.min(sheet.width(), rows * DOTS_DOWN / DOTS_ACROSS);
    int left = (sheet.width() - columns) / 2;
    double radius = rows * DOTS_DOWN / 2.0;
    for (int y = 0; y < rows; y++) {
      for (int x = 0; x < columns; x++) {
        int dots = dots(x, y, columns, radius);
        if (dots != 0) {
          boolean filled = share > 0 && angle(x, y, columns, rows) <= share;
          sheet.text(
              left + x, y, Character.toString(BRAILLE + dots), filled ? tone : TextTone.BORDER);
        }
      }
    }
    String value = NumberFormats.percent(share);
    int middle = (rows - 1) / 2;
    centred(sheet, middle, value, tone);
    centred(sheet, middle + 1, label, TextTone.MUTED);
  }

  private static void centred(Canvas sheet, int y, String text, TextTone tone) {
    sheet.text((sheet.width() - text.length()) / 2, y, text, tone);
  }

  private static int dots(int x, int y, int columns, double radius) {
    int dots = 0;
    for (int row = 0; row < DOTS_DOWN; row++) {
      for (int column = 0; column < DOTS_ACROSS; column++) {
        double right = x * DOTS_ACROSS + column + 0.5 - columns * DOTS_ACROSS / 2.0;
        double down = y * DOTS_DOWN + row + 0.5 - radius;
        double distance = Math.hypot(right, down);
        if (distance <= radius && distance >= radius * HOLE) {
          dots |= 1 << BITS[row][column];
        }
      }
    }
    return dots;
  }

  /** The angle of the cell's middle, from 0 to 1. */
  private static double angle(int x, int y, int columns, int rows) {
    double right = (x + 0.5 - columns / 2.0) * DOTS_ACROSS;
    double down = (y + 0.5 - rows / 2.0) * DOTS_DOWN;
    double turns = Math.atan2(right, -down) / (2 * Math.PI);
    return turns < 0 ? turns + 1 : turns;
  }
}
