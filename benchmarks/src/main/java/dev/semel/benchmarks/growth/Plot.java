package dev.semel.benchmarks.growth;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Lines over two axes, as an SVG. It has a background colour, so that it is readable on light and
 * dark pages.
 */
public record Plot(String title, Axis x, Axis y, List<Line> lines) {
  private static final int WIDTH = 780;
  private static final int HEIGHT = 400;
  private static final int LEFT = 70;
  private static final int RIGHT = 250;
  private static final int TOP = 44;
  private static final int BOTTOM = 56;
  private static final int LEGEND_STEP = 20;

  /** Colours that most colour-blind readers can distinguish; the marks differ, too. */
  private static final List<String> COLOURS =
      List.of(
          "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9", "#444444", "#a00000");

  public Plot {
    lines = List.copyOf(lines);
  }

  /** One line: its name, and its points ordered by x. */
  public record Line(String name, List<Point> points) {
    public Line {
      points = List.copyOf(points);
    }
  }

  public record Point(double x, double y) {}

  public String svg() {
    // Leaves out points at zero, which has no logarithm.
    List<Line> shown =
        lines.stream()
            .map(l -> new Line(l.name(), l.points().stream().filter(this::fits).toList()))
            .filter(l -> !l.points().isEmpty())
            .toList();
    List<Point> points = shown.stream().flatMap(l -> l.points().stream()).toList();
    Scale across = x.scale(points.stream().map(Point::x).toList(), LEFT, WIDTH - RIGHT);
    Scale up = y.scale(points.stream().map(Point::y).toList(), HEIGHT - BOTTOM, TOP);
    StringBuilder out = new StringBuilder();
    out.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" \
        font-family="system-ui, sans-serif" font-size="12" fill="#222">
        <title>%s</title>
        <rect width="100%%" height="100%%" rx="6" fill="#fdfdfb"/>
        <text x="%d" y="26" font-size="15" font-weight="600">%s</text>
        """
            .formatted(WIDTH, HEIGHT, WIDTH, HEIGHT, text(title), LEFT, text(title)));
    grid(out, across, up);
    for (int i = 0; i < shown.size(); i++) {
      line(out, shown.get(i), i, across, up);
    }
    return out.append("</svg>\n").toString();
  }

  private boolean fits(Point point) {
    return (!x.log() || point.x() > 0) && (!y.log() || point.y() > 0);
  }

  private void grid(StringBuilder out, Scale across, Scale up) {
    for (double tick : across.ticks()) {
      out.append(
          String.format(
              Locale.ROOT,
              "<line x1='%1$.1f' y1='%2$d' x2='%1$.1f' y2='%3$d' stroke='#e4e4e0'/>"
                  + "<text x='%1$.1f' y='%4$d' text-anchor='middle'>%5$s</text>%n",
              across.place(tick),
              TOP,
              HEIGHT - BOTTOM,
              HEIGHT - BOTTOM + 18,
              number(tick)));
    }
    for (double tick : up.ticks()) {
      out.append(
          String.format(
              Locale.ROOT,
              "<line x1='%2$d' y1='%1$.1f' x2='%3$d' y2='%1$.1f' stroke='#e4e4e0'/>"
                  + "<text x='%4$d' y='%5$.1f' text-anchor='end'>%6$s</text>%n",
              up.place(tick),
              LEFT,
              WIDTH - RIGHT,
              LEFT - 8,
              up.place(tick) + 4,
              number(tick)));
    }
    out.append(
        String.format(
            Locale.ROOT,
            "<path d='M%d %dV%dH%d' fill='none' stroke='#555'/>%n"
                + "<text x='%d' y='%d' text-anchor='middle'>%s</text>%n"
                + "<text transform='translate(16 %d) rotate(-90)' text-anchor='middle'>%s</text>%n",
            LEFT,
            TOP,
            HEIGHT - BOTTOM,
            WIDTH - RIGHT,
            (LEFT + WIDTH - RIGHT) / 2,
            HEIGHT - 14,
            text(x.label()),
            (TOP + HEIGHT - BOTTOM) / 2,
            text(y.label())));
  }

  private static void line(StringBuilder out, Line line, int index, Scale across, Scale up) {
    String colour = COLOURS.get(index % COLOURS.size());
    String path =
        line.points().stream()
            .map(p -> String.format(Locale.ROOT, "%.1f,%.1f", across.place(p.x()), up.place(p.y())))
            .collect(Collectors.joining(" "));
    out.append(
        String.format(
            Locale.ROOT,
            "<polyline points='%s' fill='none' stroke='%s' stroke-width='2'/>%n",
            path,
            colour));
    for (Point point : line.points()) {
      out.append(mark(index, across.place(point.x()), up.place(point.y()), colour));
    }
    int x = WIDTH - RIGHT + 16;
    int y = TOP + 8 + index * LEGEND_STEP;
    out.append(
        String.format(
                Locale.ROOT, "<path d='M%d %dh18' stroke='%s' stroke-width='2'/>", x, y, colour)
            + mark(index, x + 9, y, colour)
            + String.format(
                Locale.ROOT, "<text x='%d' y='%d'>%s</text>%n", x + 26, y + 4, text(line.name())));
  }

  static String mark(int index, double x, double y, String colour) {
    return switch (index % 4) {
      case 0 ->
          String.format(
              Locale.ROOT, "<circle cx='%.1f' cy='%.1f' r='4' fill='%s'/>%n", x, y, colour);
      case 1 ->
          String.format(
              Locale.ROOT, "<path d='M%.1f %.1fh8v8h-8z' fill='%s'/>%n", x - 4, y - 4, colour);
      case 2 ->
          String.format(
              Locale.ROOT, "<path d='M%.1f %.1fl5 9h-10z' fill='%s'/>%n", x, y - 5, colour);
      default ->
          String.format(
              Locale.ROOT, "<path d='M%.1f %.1fl5 5l-5 5l-5 -5z' fill='%s'/>%n", x, y - 5, colour);
    };
  }

  /** The shortest text for a number. */
  static String number(double value) {
    double size = Math.abs(value);
    if (size >= 1e9) {
      return trimmed(value / 1e9) + "G";
    }
    if (size >= 1e6) {
      return trimmed(value / 1e6) + "M";
    }
    return size >= 1e4 ? trimmed(value / 1e3) + "k" : trimmed(value);
  }

  private static String trimmed(double value) {
    String text = String.format(Locale.ROOT, "%.3f", value);
    return text.replaceAll("\\.?0+$", "");
  }

  static String text(String raw) {
    return raw.replace("&", "&amp;").replace("<", "&lt;");
  }
}
