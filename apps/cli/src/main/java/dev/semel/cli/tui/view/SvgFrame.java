package dev.semel.cli.tui.view;

import dev.tamboui.buffer.Buffer;
import dev.tamboui.buffer.Cell;
import dev.tamboui.style.Color;
import dev.tamboui.style.Modifier;
import dev.tamboui.style.Style;
import java.util.Locale;

/**
 * A frame as SVG. Lines, bars and dots are shapes, so that they meet with any font; every run of
 * text has a fixed width, so that columns stay columns.
 */
public final class SvgFrame {
  private static final int CELL_WIDTH = 9;
  private static final int CELL_HEIGHT = 19;
  private static final int MARGIN = 10;
  private static final int BASELINE = 14;
  private static final int FONT_SIZE = 15;
  private static final double DIMMED = 0.45;
  private static final int BRAILLE = 0x2800;
  private static final int LAST_BRAILLE = 0x28FF;
  private static final String LINES = "─│━╭╮╰╯▌";
  private static final String EIGHTHS = "▁▂▃▄▅▆▇█";
  private static final int[] DOT_COLUMNS = {0, 0, 0, 1, 1, 1, 0, 1};
  private static final int[] DOT_ROWS = {0, 1, 2, 0, 1, 2, 3, 3};

  private final Buffer buffer;
  private final Color.Rgb ground;
  private final Color.Rgb text;
  private final StringBuilder out = new StringBuilder();

  public SvgFrame(Buffer buffer, Palette palette) {
    this.buffer = buffer;
    this.ground = palette.ground().bg().map(Color::toRgb).orElse(new Color.Rgb(255, 255, 255));
    this.text = palette.ground().fg().map(Color::toRgb).orElse(new Color.Rgb(0, 0, 0));
  }

  public String svg() {
    int width = buffer.width() * CELL_WIDTH + 2 * MARGIN;
    int height = buffer.height() * CELL_HEIGHT + 2 * MARGIN;
    out.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">%n"
            .formatted(width, height, width, height));
    out.append(
        "<rect width=\"100%%\" height=\"100%%\" rx=\"8\" fill=\"%s\"/>%n".formatted(hex(ground)));
    out.append(
        "<g transform=\"translate(%d,%d)\" font-family=\"ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace\" font-size=\"%d\" xml:space=\"preserve\">%n"
            .formatted(MARGIN, MARGIN, FONT_SIZE));
    for (int y = 0; y < buffer.height(); y++) {
      grounds(y);
      texts(y);
    }
    return out.append("</g>\n</svg>\n").toString();
  }

  private void grounds(int y) {
    int x = 0;
    while (x < buffer.width()) {
      Color.Rgb colour = ground(style(x, y));
      int begin = x;
      while (x < buffer.width() && ground(style(x, y)).equals(colour)) {
        x++;
      }
      if (!colour.equals(ground)) {
        box(begin * CELL_WIDTH, y * CELL_HEIGHT, (x - begin) * CELL_WIDTH, CELL_HEIGHT, colour);
      }
    }
  }

  /** The second half of a wide character has no separate style. */
  private Style style(int x, int y) {
    Cell cell = buffer.get(x, y);
    return cell.isContinuation() && x > 0 ? buffer.get(x - 1, y).style() : cell.style();
  }

  private void texts(int y) {
    int x = 0;
    while (x < buffer.width()) {
      String symbol = buffer.get(x, y).symbol();
      if (symbol.isBlank() || shape(x, y, symbol)) {
        x++;
        continue;
      }
      int begin = x;
      Style style = style(x, y);
      StringBuilder run = new StringBuilder();
      while (x < buffer.width()
          && style(x, y).equals(style)
          && !buffer.get(x, y).symbol().equals(" ")
          && !isShape(buffer.get(x, y).symbol())) {
        run.append(buffer.get(x, y).symbol());
        x++;
      }
      run(begin, y, x - begin, run.toString(), style);
    }
  }

  private void run(int x, int y, int columns, String run, Style style) {
    boolean bold = style.effectiveModifiers().contains(Modifier.BOLD);
    boolean line = style.effectiveModifiers().contains(Modifier.UNDERLINED);
    out.append(
        "<text x=\"%d\" y=\"%d\" textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\" fill=\"%s\"%s%s>%s</text>%n"
            .formatted(
                x * CELL_WIDTH,
                y * CELL_HEIGHT + BASELINE,
                columns * CELL_WIDTH,
                hex(ink(style)),
                bold ? " font-weight=\"bold\"" : "",
                line ? " text-decoration=\"underline\"" : "",
                escaped(run)));
  }

  private static boolean isShape(String symbol) {
    if (symbol.isEmpty()) {
      return false;
    }
    int c = symbol.codePointAt(0);
    return EIGHTHS.contains(symbol)
        || LINES.contains(symbol)
        || (c >= BRAILLE && c <= LAST_BRAILLE);
  }

  private boolean shape(int x, int y, String symbol) {
    if (!isShape(symbol)) {
      return false;
    }
    int left = x * CELL_WIDTH;
    int top = y * CELL_HEIGHT;
    Color.Rgb ink = ink(style(x, y));
    int c = symbol.codePointAt(0);
    int eighths = EIGHTHS.indexOf(symbol) + 1;
    if (eighths > 0) {
      double high = CELL_HEIGHT * eighths / 8.0;
      box(left, top + CELL_HEIGHT - high, CELL_WIDTH, high, ink);
    } else if (c >= BRAILLE) {
      dots(left, top, c - BRAILLE, ink);
    } else if (symbol.equals("▌")) {
      box(left, top, CELL_WIDTH / 2.0, CELL_HEIGHT, ink);
    } else if (symbol.equals("━")) {
      box(left, top + CELL_HEIGHT / 2.0 - 1.5, CELL_WIDTH, 3, ink);
    } else {
      line(left, top, symbol, ink);
    }
    return true;
  }

  private void dots(int left, int top, int bits, Color.Rgb ink) {
    for (int bit = 0; bit < DOT_COLUMNS.length; bit++) {
      if ((bits >> bit & 1) == 1) {
        out.append(
            String.format(
                Locale.ROOT,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.5\" fill=\"%s\"/>%n",
                left + CELL_WIDTH * (DOT_COLUMNS[bit] * 2 + 1) / 4.0,
                top + CELL_HEIGHT * (DOT_ROWS[bit] * 2 + 1) / 8.0,
                hex(ink)));
      }
    }
  }

  private void line(int left, int top, String symbol, Color.Rgb ink) {
    String middle = Double.toString(left + CELL_WIDTH / 2.0);
    String half = Double.toString(top + CELL_HEIGHT / 2.0);
    String right = (left + CELL_WIDTH) + " " + half;
    String bottom = middle + " " + (top + CELL_HEIGHT);
    String corner = "Q" + middle + " " + half + " ";
    String begin = "M" + left + " " + half;
    String path =
        switch (symbol) {
          case "─" -> begin + "L" + right;
          case "│" -> "M" + middle + " " + top + "L" + bottom;
          case "╭" -> "M" + bottom + corner + right;
          case "╮" -> begin + corner + bottom;
          case "╰" -> "M" + middle + " " + top + corner + right;
          default -> begin + corner + middle + " " + top;
        };
    out.append("<path d=\"%s\" fill=\"none\" stroke=\"%s\"/>%n".formatted(path, hex(ink)));
  }

  private void box(double x, double y, double width, double height, Color.Rgb colour) {
    out.append(
        String.format(
            Locale.ROOT,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>%n",
            x,
            y,
            width,
            height,
            hex(colour)));
  }

  private static boolean reversed(Style style) {
    return style.effectiveModifiers().contains(Modifier.REVERSED);
  }

  private Color.Rgb ground(Style style) {
    return reversed(style)
        ? style.fg().map(Color::toRgb).orElse(text)
        : style.bg().map(Color::toRgb).orElse(ground);
  }

  private Color.Rgb ink(Style style) {
    Color.Rgb ink =
        reversed(style)
            ? style.bg().map(Color::toRgb).orElse(ground)
            : style.fg().map(Color::toRgb).orElse(text);
    return style.effectiveModifiers().contains(Modifier.DIM) ? mixed(ink, ground(style)) : ink;
  }

  private static Color.Rgb mixed(Color.Rgb ink, Color.Rgb with) {
    return new Color.Rgb(
        mixed(ink.r(), with.r()), mixed(ink.g(), with.g()), mixed(ink.b(), with.b()));
  }

  private static int mixed(int ink, int with) {
    return (int) Math.round(ink * DIMMED + with * (1 - DIMMED));
  }

  private static String hex(Color.Rgb colour) {
    return "#%02x%02x%02x".formatted(colour.r(), colour.g(), colour.b());
  }

  private static String escaped(String run) {
    return run.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
