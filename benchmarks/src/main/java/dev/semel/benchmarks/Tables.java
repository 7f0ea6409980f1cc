package dev.semel.benchmarks;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes figures into a page as tables, each between {@code <!-- figures: NAME -->} and {@code <!--
 * end -->}. The text around them stays unchanged.
 */
final class Tables {
  private static final String END = "<!-- end -->";

  private Tables() {}

  static String marker(String name) {
    return "<!-- figures: " + name + " -->";
  }

  /**
   * Replaces the text between the markers with that name.
   *
   * @throws IllegalArgumentException if it has no such markers
   */
  static String fill(String page, String name, String text) {
    int from = page.indexOf(marker(name));
    int to = from < 0 ? -1 : page.indexOf(END, from);
    if (to < 0) {
      throw new IllegalArgumentException("the page has no " + marker(name) + " … " + END);
    }
    return page.substring(0, from) + marker(name) + "\n" + text + page.substring(to);
  }

  /** The table of one race, with time and machine. */
  static String race(Results.Table table) {
    return rows(table.figures()) + "\n" + table.seen() + "\n\n";
  }

  static String rows(List<Figure> figures) {
    return """
        | | ours | in the same run | ratio (per round) | goal | |
        |---|---|---|---|---|---|
        """
        + figures.stream()
            .map(
                f ->
                    "| %s | %s | %s | %s | %s | %s |\n"
                        .formatted(
                            f.title(),
                            f.shownOurs(),
                            f.shownOther(),
                            f.shownRatio(),
                            f.shownGoal(),
                            f.verdict()))
            .collect(Collectors.joining());
  }
}
