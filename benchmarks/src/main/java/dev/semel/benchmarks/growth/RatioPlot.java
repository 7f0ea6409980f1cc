package dev.semel.benchmarks.growth;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Ratios with their spreads, one below another on a logarithmic axis, as an SVG. It has a
 * background colour like {@link Plot}.
 */
public record RatioPlot(String title, List<Bar> bars) {
  private static final int WIDTH = 1000;
  private static final int LEFT = 560;
  private static final int RIGHT = 70;
  private static final int TOP = 64;
  private static final int STEP = 19;

  public RatioPlot {
    bars = List.copyOf(bars);
  }

  /** One ratio, and whether it compares with a peer. */
  public record Bar(String name, boolean peer, double median, double least, double most) {}

  public String svg() {
    List<Double> ends =
        Stream.concat(bars.stream().flatMap(b -> Stream.of(b.least(), b.most())), Stream.of(1.0))
            .toList();
    double low = decade(Math.floor(Math.log10(ends.stream().min(Double::compare).orElse(1.0))));
    double high = decade(Math.ceil(Math.log10(ends.stream().max(Double::compare).orElse(1.0))));
    double end = Math.max(high, 10 * low);
    Scale scale = new Scale(true, low, end, LEFT, WIDTH - RIGHT, Axis.logTicks(low, end));
    int bottom = TOP + bars.size() * STEP;
    StringBuilder out = new StringBuilder();
    out.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" \
        font-family="system-ui, sans-serif" font-size="12" fill="#222">
        <title>%3$s</title>
        <rect width="100%%" height="100%%" rx="6" fill="#fdfdfb"/>
        <text x="16" y="26" font-size="15" font-weight="600">%3$s</text>
        <circle cx="22" cy="44" r="4" fill="#0072b2"/><text x="32" y="48">to a limit</text>
        <path d="M110 40h8v8h-8z" fill="#d55e00"/><text x="124" y="48">to a peer</text>
        """
            .formatted(WIDTH, bottom + 36, Plot.text(title)));
    for (double tick : scale.ticks()) {
      out.append(
          String.format(
              Locale.ROOT,
              "<line x1='%1$.1f' y1='%2$d' x2='%1$.1f' y2='%3$d' stroke='%4$s'/>"
                  + "<text x='%1$.1f' y='%5$d' text-anchor='middle'>%6$s</text>%n",
              scale.place(tick),
              TOP - 8,
              bottom,
              tick == 1 ? "#555" : "#e4e4e0",
              bottom + 18,
              Plot.number(tick)));
    }
    for (int i = 0; i < bars.size(); i++) {
      bar(out, bars.get(i), TOP + i * STEP + STEP / 2 - 4, scale);
    }
    return out.append("</svg>\n").toString();
  }

  private static double decade(double exponent) {
    return Math.pow(10, exponent);
  }

  private static void bar(StringBuilder out, Bar bar, int y, Scale scale) {
    String colour = bar.peer() ? "#d55e00" : "#0072b2";
    double at = scale.place(bar.median());
    out.append(
        String.format(
            Locale.ROOT,
            "<text x='%1$d' y='%2$d' text-anchor='end'>%3$s</text>"
                + "<line x1='%4$.1f' y1='%5$d' x2='%6$.1f' y2='%5$d' stroke='%7$s'"
                + " stroke-width='2'/>%n",
            LEFT - 14,
            y + 4,
            Plot.text(bar.name()),
            scale.place(bar.least()),
            y,
            scale.place(bar.most()),
            colour));
    out.append(Plot.mark(bar.peer() ? 1 : 0, at, y, colour));
  }
}
