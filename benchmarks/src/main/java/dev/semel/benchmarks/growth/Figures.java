package dev.semel.benchmarks.growth;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Measured figures in a file of lines {@code measure;series;x;value}. A new figure replaces the
 * earlier one.
 */
public final class Figures {
  private static final String HEAD = "measure;series;x;value";

  private final Path folder;
  private final Path file;
  private final Map<Place, Double> values = new LinkedHashMap<>();

  private record Place(String measure, String series, double x) {}

  private Figures(Path folder, Path file) {
    this.folder = folder;
    this.file = file;
  }

  /** The figures of one kind of growth, including those of earlier runs. */
  public static Figures of(Path folder, String name) throws IOException {
    Files.createDirectories(folder);
    Figures figures = new Figures(folder, folder.resolve(name + ".csv"));
    if (Files.exists(figures.file)) {
      Files.readAllLines(figures.file).stream()
          .skip(1)
          .map(line -> line.split(";", -1))
          .forEach(
              part ->
                  figures.values.put(
                      new Place(part[0], part[1], Double.parseDouble(part[2])),
                      Double.parseDouble(part[3])));
    }
    return figures;
  }

  /** Saves a figure at once, because a long run may be aborted. */
  public Figures put(String measure, String series, double x, double value) throws IOException {
    values.put(new Place(measure, series, x), value);
    List<String> lines = new ArrayList<>(List.of(HEAD));
    values.forEach(
        (place, each) ->
            lines.add(
                String.format(
                    Locale.ROOT,
                    "%s;%s;%s;%.6g",
                    place.measure(),
                    place.series(),
                    place.x(),
                    each)));
    Files.write(file, lines);
    return this;
  }

  /** Draws one measure of all series as a file beside the figures. */
  public Figures draw(String name, String measure, String title, Axis x, Axis y)
      throws IOException {
    Map<String, List<Plot.Point>> lines = new LinkedHashMap<>();
    values.entrySet().stream()
        .filter(e -> e.getKey().measure().equals(measure))
        .sorted(Comparator.comparingDouble(e -> e.getKey().x()))
        .forEach(
            e ->
                lines
                    .computeIfAbsent(e.getKey().series(), s -> new ArrayList<>())
                    .add(new Plot.Point(e.getKey().x(), e.getValue())));
    List<Plot.Line> drawn =
        new TreeMap<>(lines)
            .entrySet().stream().map(e -> new Plot.Line(e.getKey(), e.getValue())).toList();
    if (!drawn.isEmpty()) {
      Files.writeString(folder.resolve(name + ".svg"), new Plot(title, x, y, drawn).svg());
    }
    return this;
  }

  /** Prints all figures as tables, one for each series. */
  public void print(PrintStream out, String what) {
    Set<String> series = new LinkedHashSet<>();
    values.keySet().forEach(place -> series.add(place.series()));
    for (String each : series) {
      Set<String> measures = new LinkedHashSet<>();
      Map<Double, Map<String, Double>> rows = new TreeMap<>();
      values.forEach(
          (place, value) -> {
            if (place.series().equals(each)) {
              measures.add(place.measure());
              rows.computeIfAbsent(place.x(), x -> new LinkedHashMap<>())
                  .put(place.measure(), value);
            }
          });
      out.printf("%n%s%n%n| %s | %s |%n", each, what, String.join(" | ", measures));
      out.println("|---".repeat(measures.size() + 1) + "|");
      rows.forEach(
          (x, row) -> {
            out.printf(Locale.ROOT, "| %,.0f |", x);
            measures.forEach(
                m -> out.print(row.containsKey(m) ? " " + shown(row, m) + " |" : " |"));
            out.println();
          });
    }
  }

  private static String shown(Map<String, Double> row, String measure) {
    double value = Objects.requireNonNull(row.get(measure));
    return String.format(Locale.ROOT, Math.abs(value) >= 100 ? "%,.0f" : "%,.3g", value);
  }
}
