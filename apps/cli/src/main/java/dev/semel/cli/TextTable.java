package dev.semel.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Lays out rows in columns; a column of numbers is aligned right. For one thread. */
public final class TextTable {
  private static final String GAP = "  ";
  private static final Pattern NUMBER = Pattern.compile("[0-9][0-9.,]*\\s?%?|-");

  private final List<String> headings;
  private final List<List<String>> rows = new ArrayList<>();

  /** Layout of a column. */
  private record Column(int width, boolean numeric) {
    String pad(String cell) {
      String padding = " ".repeat(width - length(cell));
      return numeric ? padding + cell : cell + padding;
    }
  }

  public TextTable(String... headings) {
    this.headings = List.of(headings);
  }

  public TextTable row(List<String> cells) {
    rows.add(List.copyOf(cells));
    return this;
  }

  /** Lines without trailing blanks; the first has the headings. */
  public List<String> lines() {
    // Computed once for all rows: there may be thousands of them.
    List<Column> columns = IntStream.range(0, headings.size()).mapToObj(this::column).toList();
    List<String> lines = new ArrayList<>();
    lines.add(line(headings, columns));
    rows.forEach(row -> lines.add(line(row, columns)));
    return lines;
  }

  private Column column(int number) {
    int width = length(headings.get(number));
    boolean numeric = !rows.isEmpty();
    for (List<String> row : rows) {
      String cell = row.get(number);
      width = Math.max(width, length(cell));
      numeric = numeric && NUMBER.matcher(cell).matches();
    }
    return new Column(width, numeric);
  }

  private static String line(List<String> cells, List<Column> columns) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < cells.size(); column++) {
      line.append(column == 0 ? "" : GAP).append(columns.get(column).pad(cells.get(column)));
    }
    return line.toString().stripTrailing();
  }

  private static int length(String cell) {
    return cell.codePointCount(0, cell.length());
  }
}
