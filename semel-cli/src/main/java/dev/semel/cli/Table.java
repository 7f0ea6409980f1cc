package dev.semel.cli;

import java.util.ArrayList;
import java.util.List;

/** Lays out rows in columns; a column of numbers stands to the right. For one thread. */
final class Table {
  private static final String GAP = "  ";

  private final List<String> headings;
  private final List<List<String>> rows = new ArrayList<>();

  Table(String... headings) {
    this.headings = List.of(headings);
  }

  Table row(List<String> cells) {
    rows.add(List.copyOf(cells));
    return this;
  }

  /** Lines without trailing blanks; the first holds the headings. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(line(headings));
    rows.forEach(row -> lines.add(line(row)));
    return lines;
  }

  private String line(List<String> cells) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < cells.size(); column++) {
      String cell = cells.get(column);
      String padding = " ".repeat(width(column) - length(cell));
      line.append(column == 0 ? "" : GAP).append(numeric(column) ? padding + cell : cell + padding);
    }
    return line.toString().stripTrailing();
  }

  private int width(int column) {
    int widest = length(headings.get(column));
    for (List<String> row : rows) {
      widest = Math.max(widest, length(row.get(column)));
    }
    return widest;
  }

  private boolean numeric(int column) {
    return !rows.isEmpty()
        && rows.stream().allMatch(row -> row.get(column).matches("[0-9][0-9.,]*\\s?%?|-"));
  }

  private static int length(String cell) {
    return cell.codePointCount(0, cell.length());
  }
}
