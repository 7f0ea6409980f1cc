package dev.semel.server.metrics;

import dev.semel.server.http.Histogram;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Prometheus's text format, version 0.0.4: each family has its HELP and TYPE once, then its
 * samples, and no sample occurs twice. For one thread.
 */
final class PrometheusText {
  static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private static final double NANOS = 1e9;

  /** Type of a family. */
  enum Type {
    COUNTER,
    GAUGE,
    HISTOGRAM
  }

  /** All samples of one name. */
  static final class Family {
    private final String name;
    private final String head;
    private final Set<String> series = new LinkedHashSet<>();
    private final StringBuilder samples = new StringBuilder();

    private Family(String name, Type type, String help) {
      this.name = name;
      this.head =
          "# HELP %s %s\n# TYPE %s %s\n"
              .formatted(name, escapedHelp(help), name, type.name().toLowerCase(Locale.ROOT));
    }

    /**
     * Adds a sample.
     *
     * @param labels names and values in turn
     */
    Family sample(double value, String... labels) {
      return sample("", value, labels);
    }

    /**
     * Adds a sample of a histogram's part.
     *
     * @param suffix such as {@code _bucket}
     */
    Family sample(String suffix, double value, String... labels) {
      String key = name + suffix + labels(labels);
      if (!series.add(key)) {
        throw new IllegalStateException("the series %s is there twice".formatted(key));
      }
      samples.append(key).append(' ').append(number(value)).append('\n');
      return this;
    }
  }

  private final Map<String, Family> families = new LinkedHashMap<>();

  /** Returns the family that already has this name, if there is one. */
  Family family(String name, Type type, String help) {
    return families.computeIfAbsent(name, n -> new Family(n, type, help));
  }

  Family counter(String name, String help) {
    return family(name, Type.COUNTER, help);
  }

  Family gauge(String name, String help) {
    return family(name, Type.GAUGE, help);
  }

  /**
   * Adds the samples of a histogram.
   *
   * @param operation empty: without a label
   */
  void histogram(String name, String help, Histogram histogram, String operation) {
    Family family = family(name, Type.HISTOGRAM, help);
    Histogram.Counted counted = histogram.counted();
    String[] label = operation.isEmpty() ? new String[0] : new String[] {"operation", operation};
    for (int i = 0; i < counted.steps().size(); i++) {
      String step = number(counted.steps().get(i).toNanos() / NANOS);
      family.sample("_bucket", (double) counted.upTo().get(i), with(label, "le", step));
    }
    family.sample("_bucket", (double) counted.all(), with(label, "le", "+Inf"));
    family.sample("_sum", counted.seconds(), label);
    family.sample("_count", (double) counted.all(), label);
  }

  private static String[] with(String[] labels, String name, String value) {
    String[] all = Arrays.copyOf(labels, labels.length + 2);
    all[labels.length] = name;
    all[labels.length + 1] = value;
    return all;
  }

  private static String labels(String... labels) {
    if (labels.length == 0) {
      return "";
    }
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < labels.length; i += 2) {
      text.append(i == 0 ? "" : ",")
          .append(labels[i])
          .append("=\"")
          .append(escaped(labels[i + 1]))
          .append('"');
    }
    return text.append('}').toString();
  }

  private static String escaped(String value) {
    return escapedHelp(value).replace("\"", "\\\"");
  }

  private static String escapedHelp(String text) {
    return text.replace("\\", "\\\\").replace("\n", "\\n");
  }

  static String number(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  String text() {
    StringBuilder text = new StringBuilder();
    families.values().forEach(family -> text.append(family.head).append(family.samples));
    return text.toString();
  }
}
