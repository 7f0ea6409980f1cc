package dev.semel.junit.proof;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The result of one run of a part: one line of {@code docs/proof-record.tsv}.
 *
 * @param date its end in UTC
 * @param commit followed by {@code +} if there were uncommitted changes
 * @param tree a hash of all files but the record: runs with the same one are of the same program
 * @param guarantee {@link Guarantee#id}
 * @param figures such as {@code kills}
 * @param failure the first line of it, or empty
 */
public record RecordLine(
    String date,
    String commit,
    String tree,
    String part,
    String guarantee,
    Result result,
    long seconds,
    Map<String, String> figures,
    String failure) {
  static final String SEED = "seed";
  static final String VOLUME = "volume";

  /** The columns, as in the record's first line. */
  static final String HEADER =
      "date\tcommit\ttree\tpart\tguarantee\tresult\tseconds\tfigures\tfailure";

  /** How the run ended. */
  public enum Result {
    PASSED,
    FAILED,
    /** The process ended before its tests did. */
    ABORTED,
    /** No test applies here. */
    SKIPPED;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Result of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }

  /** All recorded lines, oldest first. */
  public static List<RecordLine> read(Path file) {
    try {
      return Files.readAllLines(file).stream().skip(1).map(RecordLine::parse).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static RecordLine parse(String line) {
    String[] fields = line.split("\t", -1);
    if (fields.length != 9) {
      throw new IllegalArgumentException("not a line of the record: " + line);
    }
    return new RecordLine(
        fields[0],
        fields[1],
        fields[2],
        fields[3],
        fields[4],
        Result.of(fields[5]),
        Long.parseLong(fields[6]),
        figures(fields[7]),
        fields[8]);
  }

  private static Map<String, String> figures(String text) {
    Map<String, String> figures = new LinkedHashMap<>();
    for (String each : text.split(" ", -1)) {
      int equals = each.indexOf('=');
      if (equals > 0) {
        figures.put(each.substring(0, equals), each.substring(equals + 1));
      }
    }
    return figures;
  }

  /** A figure of the run; 0 if it is missing. */
  long figure(String name) {
    return Long.parseLong(figures.getOrDefault(name, "0"));
  }

  /** The figures as text: {@code 60 kills, 6,000 keys}. */
  String summary() {
    List<String> words = new ArrayList<>();
    figures.forEach(
        (name, value) ->
            words.add(
                value.matches("\\d+") && !name.equals(SEED)
                    ? counted(name, Long.parseLong(value))
                    : name + " " + value));
    return String.join(", ", words);
  }

  static String counted(String name, long count) {
    return String.format(Locale.ROOT, "%,d %s", count, name);
  }
}
