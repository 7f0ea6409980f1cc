package dev.semel.junit.proof;

import dev.semel.junit.proof.RecordLine.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** {@code docs/proof-record.md}: the record as a readable page. */
public final class RecordPage {
  private static final String HEAD =
      """
      # The record of the proof

      What the second ring of tests found, run by run: kills, outages and long runs ([how we know](proof.md)). `./proof`
      adds a line to [proof-record.tsv](proof-record.tsv) for each part that it runs, passed or not, and writes this page
      from it. `./proof --list` compares it with the files as they are now.

      """;

  private final List<Part> parts;
  private final List<RecordLine> lines;
  private final StringBuilder page = new StringBuilder(HEAD);

  private RecordPage(List<Part> parts, List<RecordLine> lines) {
    this.parts = parts;
    this.lines = lines;
  }

  /** Writes the page of the project in the given folder. */
  public static void main(String[] arguments) throws IOException {
    Path docs = Path.of(arguments[0], "docs");
    Files.writeString(docs.resolve("proof-record.md"), of(docs));
  }

  /** The page's text, from the files in this folder. */
  public static String of(Path docs) {
    return of(
        Part.read(docs.resolve("proof-parts.tsv")),
        RecordLine.read(docs.resolve("proof-record.tsv")));
  }

  static String of(List<Part> parts, List<RecordLine> lines) {
    return new RecordPage(parts, lines).write();
  }

  private String write() {
    newest();
    guarantees();
    parts();
    return page.toString();
  }

  private void newest() {
    page.append("## The newest commit in it\n\n");
    if (lines.isEmpty()) {
      page.append("Nothing is recorded yet.\n\n");
      return;
    }
    RecordLine last = lines.getLast();
    Map<String, RecordLine> known = new LinkedHashMap<>();
    lines.stream().filter(each -> each.tree().equals(last.tree())).forEach(e -> put(known, e));
    page.append(
        "`%s`%s, last run on %s: %s.\n\n"
            .formatted(
                last.commit().replace("+", ""),
                last.commit().endsWith("+") ? " with changes that were not committed" : "",
                last.date().substring(0, 10),
                count(known)));
    List<String> failures =
        known.values().stream()
            .filter(each -> !each.failure().isEmpty())
            .map(each -> "- **%s**: %s".formatted(each.part(), text(each.failure())))
            .toList();
    section("Failed:", failures);
    section(
        "Not run on it:",
        parts.stream()
            .map(Part::name)
            .filter(name -> !known.containsKey(name))
            .map(name -> "- " + name)
            .toList());
  }

  /** Moves the part to the end: its last line counts. */
  private static void put(Map<String, RecordLine> known, RecordLine line) {
    known.remove(line.part());
    known.put(line.part(), line);
  }

  private String count(Map<String, RecordLine> known) {
    List<String> words = new ArrayList<>();
    for (Result result : Result.values()) {
      long count = known.values().stream().filter(each -> each.result() == result).count();
      if (count > 0) {
        words.add(count + " " + result.word());
      }
    }
    return "%s of %d parts".formatted(String.join(", ", words), parts.size());
  }

  private void section(String title, List<String> items) {
    if (!items.isEmpty()) {
      page.append(title).append("\n\n").append(String.join("\n", items)).append("\n\n");
    }
  }

  private void guarantees() {
    page.append(
        "## By guarantee\n\nFigures are sums over all runs that passed, of all commits.\n\n");
    row("guarantee", "parts", "runs", "passed", "hours", "figures");
    row("---", "---:", "---:", "---:", "---:", "---");
    for (Guarantee guarantee : Guarantee.values()) {
      List<RecordLine> runs =
          lines.stream()
              .filter(each -> each.guarantee().equals(guarantee.id()))
              .filter(each -> each.result() != Result.SKIPPED)
              .toList();
      List<RecordLine> passed =
          runs.stream().filter(each -> each.result() == Result.PASSED).toList();
      long known = parts.stream().filter(each -> each.guarantee() == guarantee).count();
      row(
          guarantee.text(),
          Long.toString(known),
          Integer.toString(runs.size()),
          Integer.toString(passed.size()),
          String.format(
              Locale.ROOT, "%.1f", runs.stream().mapToLong(RecordLine::seconds).sum() / 3600.0),
          known == 0 ? "the gate's contracts alone" : sums(passed));
    }
    page.append('\n');
  }

  private static String sums(List<RecordLine> passed) {
    Map<String, Long> sums = new TreeMap<>();
    for (RecordLine line : passed) {
      line.figures().keySet().stream()
          .filter(name -> !name.equals(RecordLine.SEED) && !name.equals(RecordLine.VOLUME))
          .forEach(name -> sums.merge(name, line.figure(name), Long::sum));
    }
    return sums.entrySet().stream()
        .map(each -> RecordLine.counted(each.getKey(), each.getValue()))
        .collect(Collectors.joining(", "));
  }

  private void parts() {
    page.append("## By part: its last run\n\n");
    row("part", "result", "commit", "date", "seconds", "figures");
    row("---", "---", "---", "---", "---:", "---");
    Map<String, RecordLine> last = new LinkedHashMap<>();
    lines.forEach(line -> put(last, line));
    for (Part part : parts) {
      RecordLine line = last.get(part.name());
      if (line == null) {
        row(part.name(), "not run yet", "", "", "", "");
      } else {
        row(
            part.name(),
            line.result() == Result.PASSED ? "passed" : "**" + line.result().word() + "**",
            line.commit(),
            line.date().substring(0, 10),
            Long.toString(line.seconds()),
            line.summary());
      }
    }
  }

  private void row(String... cells) {
    page.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  /** Failures contain arbitrary text, which must not become a table, a link or a tag. */
  private static String text(String failure) {
    return "`" + failure.replace('`', '\'') + "`";
  }
}
