package dev.semel.server.metrics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses an exposition as strictly as its format: HELP and TYPE once and before the samples, a
 * family in one piece, valid names and labels, no series twice, histograms that grow.
 */
public final class Scraped {
  private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
  private static final Pattern SAMPLE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{(.*)})? (\\S+)");
  private static final Pattern LABEL =
      Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\n]|\\\\[\\\\\"n])*)\"(,|$)");

  private final Map<String, String> types = new LinkedHashMap<>();
  private final Map<String, String> helps = new LinkedHashMap<>();
  private final Map<String, Double> series = new LinkedHashMap<>();
  private String family = "";

  public static Scraped parse(String text) {
    if (!text.endsWith("\n")) {
      throw new AssertionError("the last line does not end");
    }
    Scraped scraped = new Scraped();
    text.lines().forEach(scraped::line);
    scraped.histograms();
    return scraped;
  }

  private void line(String line) {
    if (line.startsWith("# HELP ")) {
      String[] parts = line.split(" ", 4);
      begin(parts[2]);
      once(helps, parts[2], parts[3], line);
    } else if (line.startsWith("# TYPE ")) {
      String[] parts = line.split(" ", -1);
      check(parts.length == 4 && parts[2].equals(family), line);
      check(List.of("counter", "gauge", "histogram").contains(parts[3]), line);
      once(types, parts[2], parts[3], line);
    } else {
      sample(line);
    }
  }

  private void begin(String name) {
    check(NAME.matcher(name).matches(), name);
    check(!helps.containsKey(name), name);
    family = name;
  }

  private static <V> void once(Map<String, V> map, String name, V value, String line) {
    if (map.putIfAbsent(name, value) != null) {
      throw new AssertionError("twice: " + line);
    }
  }

  private static void check(boolean fine, String line) {
    if (!fine) {
      throw new AssertionError("not as it should be: " + line);
    }
  }

  private void sample(String line) {
    Matcher m = SAMPLE.matcher(line);
    check(m.matches(), line);
    String name = m.group(1);
    String type = Optional.ofNullable(types.get(family)).orElse("");
    boolean part = type.equals("histogram") && name.matches(family + "_(bucket|sum|count)");
    check(part || (name.equals(family) && !type.equals("histogram")), line);
    check(!type.equals("counter") || name.endsWith("_total"), line);
    Map<String, String> labels = labels(m.group(3), line);
    check(!name.endsWith("_bucket") || labels.containsKey("le"), line);
    once(series, name + new TreeMap<>(labels), number(m.group(4)), line);
  }

  private static Map<String, String> labels(@Nullable String text, String line) {
    Map<String, String> labels = new LinkedHashMap<>();
    if (text == null) {
      return labels;
    }
    Matcher m = LABEL.matcher(text);
    int end = 0;
    while (m.find()) {
      check(m.start() == end, line);
      once(labels, m.group(1), m.group(2), line);
      end = m.end();
    }
    check(end == text.length() && !labels.isEmpty(), line);
    return labels;
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }

  /** Buckets never fall, and the last holds all. */
  private void histograms() {
    Map<String, Double> last = new LinkedHashMap<>();
    series.forEach(
        (key, value) -> {
          if (key.contains("_bucket{")) {
            String rest = key.replaceAll("le=[^,}]*", "le");
            check(value >= last.getOrDefault(rest, 0.0), key);
            last.put(rest, value);
          }
        });
  }

  public List<String> names() {
    return new ArrayList<>(types.keySet());
  }

  String type(String name) {
    return types.getOrDefault(name, "none");
  }

  String help(String name) {
    return helps.getOrDefault(name, "none");
  }

  /** Labels as {@code {operation=payments, outcome=store}}, by name; {@code {}}: none. */
  public double value(String name, String labels) {
    Double value = series.get(name + labels);
    if (value == null) {
      throw new AssertionError("there is no " + name + labels + " in " + series.keySet());
    }
    return value;
  }

  double value(String name) {
    return value(name, "{}");
  }

  boolean has(String name) {
    return series.keySet().stream().anyMatch(key -> key.startsWith(name + "{"));
  }
}
