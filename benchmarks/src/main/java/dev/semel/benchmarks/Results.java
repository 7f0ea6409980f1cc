package dev.semel.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The latest figures of each race, in a file with one line per figure. A new run of a race replaces
 * its earlier figures.
 */
final class Results {
  private static final String HEAD =
      "race;title;ours;unit;other;peer;others;ratio;least;most;goal;seen";

  private final Path file;
  private final Map<String, Table> tables = new LinkedHashMap<>();

  /**
   * The figures of one race.
   *
   * @param seen time, machine and other load
   */
  record Table(String seen, List<Figure> figures) {
    Table {
      figures = List.copyOf(figures);
      if (seen.matches("(?s).*[;|\\n].*")) {
        throw new IllegalArgumentException("would end a column: " + seen);
      }
    }
  }

  private Results(Path file) {
    this.file = file;
  }

  static Results of(Path file) throws IOException {
    Results results = new Results(file);
    if (Files.exists(file)) {
      Map<String, List<Figure>> figures = new LinkedHashMap<>();
      Map<String, String> seen = new LinkedHashMap<>();
      for (String line : Files.readAllLines(file).stream().skip(1).toList()) {
        String[] part = line.split(";", -1);
        figures.computeIfAbsent(part[0], race -> new ArrayList<>()).add(figure(part));
        seen.put(part[0], part[11]);
      }
      figures.forEach(
          (race, all) -> results.tables.put(race, new Table(seen.getOrDefault(race, ""), all)));
    }
    return results;
  }

  private static Figure figure(String[] part) {
    return new Figure(
        part[1],
        number(part[2]),
        part[3],
        part[4],
        Boolean.parseBoolean(part[5]),
        number(part[6]),
        new Figure.Spread(number(part[7]), number(part[8]), number(part[9])),
        number(part[10]));
  }

  private static double number(String text) {
    return text.isEmpty() ? Double.NaN : Double.parseDouble(text);
  }

  Map<String, Table> tables() {
    return Map.copyOf(tables);
  }

  /** Saves a table at once, because a long run may be aborted. */
  void put(String race, Table table) throws IOException {
    tables.put(race, table);
    List<String> lines = new ArrayList<>(List.of(HEAD));
    tables.forEach((name, each) -> each.figures().forEach(f -> lines.add(line(name, f, each))));
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(file, lines);
  }

  private static String line(String race, Figure figure, Table table) {
    return String.join(
        ";",
        race,
        figure.title(),
        text(figure.ours()),
        figure.unit(),
        figure.other(),
        Boolean.toString(figure.peer()),
        text(figure.others()),
        text(figure.ratio().median()),
        text(figure.ratio().least()),
        text(figure.ratio().most()),
        text(figure.goal()),
        table.seen());
  }

  private static String text(double value) {
    return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.6g", value);
  }

  /** All figures that compare with a peer, or with a limit. */
  static List<Figure> compared(Collection<Table> tables, boolean peers) {
    return tables.stream()
        .flatMap(table -> table.figures().stream())
        .filter(f -> f.peer() == peers && !Double.isNaN(f.ratio().median()))
        .toList();
  }
}
