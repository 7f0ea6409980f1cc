package dev.semel.benchmarks;

import dev.semel.benchmarks.growth.RatioPlot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** The page with the figures, its data file and its plot. */
final class Page {
  private static final Path FOLDER = Path.of("benchmarks");

  private final Path folder;
  private final Results results;

  private Page(Path folder, Results results) {
    this.folder = folder;
    this.results = results;
  }

  /** A quick run has a separate page, because its figures mean nothing. */
  static Page open(Pace pace) throws IOException {
    Path folder = pace == Pace.USUAL ? FOLDER : FOLDER.resolve("target/quick");
    Files.createDirectories(folder.resolve("plots"));
    if (pace == Pace.QUICK) {
      Files.writeString(folder.resolve("README.md"), Files.readString(FOLDER.resolve("README.md")));
    }
    return new Page(folder, Results.of(folder.resolve("results.csv")));
  }

  void write(String race, Results.Table table) throws IOException {
    results.put(race, table);
    refresh();
  }

  /** Rewrites the page from the saved figures, after a manual change of the page or its file. */
  void refresh() throws IOException {
    Path file = folder.resolve("README.md");
    Files.writeString(file, page(Files.readString(file), results.tables()));
    Files.writeString(folder.resolve("plots/ratios.svg"), plot(inOrder(results.tables())).svg());
  }

  /** Fills all known figures into the page. */
  static String page(String before, Map<String, Results.Table> tables) {
    String page = before;
    for (Map.Entry<String, Results.Table> each : tables.entrySet()) {
      page = Tables.fill(page, each.getKey(), Tables.race(each.getValue()));
    }
    return Tables.fill(page, "peers", Tables.rows(Results.compared(inOrder(tables), true)) + "\n");
  }

  private static List<Results.Table> inOrder(Map<String, Results.Table> tables) {
    return Main.ALL.stream()
        .filter(tables::containsKey)
        .map(race -> Objects.requireNonNull(tables.get(race)))
        .toList();
  }

  private static RatioPlot plot(List<Results.Table> tables) {
    return new RatioPlot(
        "How many times as good ours is: the median of rounds, and all of them",
        Stream.of(true, false)
            .flatMap(peers -> Results.compared(tables, peers).stream())
            .map(
                f ->
                    new RatioPlot.Bar(
                        f.title() + " : " + f.other(),
                        f.peer(),
                        f.ratio().median(),
                        f.ratio().least(),
                        f.ratio().most()))
            .toList());
  }
}
