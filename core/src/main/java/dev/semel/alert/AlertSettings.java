package dev.semel.alert;

import dev.semel.InvalidInput;
import dev.semel.internal.DurationText;
import dev.semel.internal.PrintableText;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The limits of all alert rules, and how often they are checked.
 *
 * @param thresholds one for each rule
 */
public record AlertSettings(Map<AlertRule, AlertThreshold> thresholds, Duration every) {
  /** The default of how often. */
  public static final Duration EVERY = Duration.ofSeconds(10);

  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final String OFF = "off";

  private static final String FORM =
      "write alerts as outbox-lag=10m, error-rate=2%,after=5m,clear=10m,calm=1% or memory=off";

  public AlertSettings {
    thresholds = Collections.unmodifiableMap(new EnumMap<>(thresholds));
    if (thresholds.size() < AlertRule.values().length) {
      throw new InvalidInput("a rule has no threshold");
    }
    if (every.compareTo(SHORTEST) < 0) {
      throw new InvalidInput(
          "alerts are looked at every %s at most".formatted(DurationText.format(SHORTEST)));
    }
  }

  public static AlertSettings defaults() {
    Map<AlertRule, AlertThreshold> all = new EnumMap<>(AlertRule.class);
    for (AlertRule rule : AlertRule.values()) {
      all.put(rule, rule.threshold());
    }
    return new AlertSettings(all, EVERY);
  }

  public AlertThreshold of(AlertRule rule) {
    return Objects.requireNonNull(thresholds.get(rule));
  }

  public AlertSettings withEvery(Duration value) {
    return new AlertSettings(thresholds, value);
  }

  /** A copy in which a value beyond its limit fires at once: for a single look without history. */
  public AlertSettings atOnce() {
    Map<AlertRule, AlertThreshold> all = new EnumMap<>(thresholds);
    all.replaceAll((rule, threshold) -> threshold.withAfter(Duration.ZERO));
    return new AlertSettings(all, every);
  }

  /**
   * A copy with some rules changed.
   *
   * @param text {@code RULE=LIMIT[,after=TIME][,clear=TIME][,calm=LEVEL]} or {@code RULE=off},
   *     several of them with blanks between
   * @throws InvalidInput it can't be read, or names no rule
   */
  public AlertSettings with(String text) {
    Map<AlertRule, AlertThreshold> all = new EnumMap<>(thresholds);
    for (String one : text.strip().split("\\s+", -1)) {
      int is = one.indexOf('=');
      if (is < 1) {
        throw unreadable(one);
      }
      AlertRule rule = AlertRule.parse(one.substring(0, is));
      all.put(rule, read(rule, Objects.requireNonNull(all.get(rule)), one, one.substring(is + 1)));
    }
    return new AlertSettings(all, every);
  }

  private static AlertThreshold read(
      AlertRule rule, AlertThreshold before, String all, String text) {
    String[] parts = text.split(",", -1);
    if (parts[0].equals(OFF)) {
      if (parts.length > 1) {
        throw unreadable(all);
      }
      return before.off();
    }
    AlertThreshold threshold = before.withLimit(rule.unit().parse(parts[0]));
    for (int i = 1; i < parts.length; i++) {
      int is = parts[i].indexOf('=');
      String value = parts[i].substring(is + 1);
      threshold =
          switch (is < 0 ? "" : parts[i].substring(0, is)) {
            case "after" -> threshold.withAfter(AlertUnit.time(value));
            case "clear" -> threshold.withClear(AlertUnit.time(value));
            case "calm" -> threshold.withCalm(rule.unit().parse(value));
            default -> throw unreadable(all);
          };
    }
    return threshold;
  }

  private static InvalidInput unreadable(String text) {
    return new InvalidInput(
        "%s is no alert's limit: %s".formatted(PrintableText.quoted(text), FORM));
  }

  /** In the form that {@link #with} reads. */
  public String text() {
    return thresholds.entrySet().stream()
        .map(e -> text(e.getKey(), e.getValue()))
        .collect(Collectors.joining(" "));
  }

  private static String text(AlertRule rule, AlertThreshold t) {
    return t.on()
        ? "%s=%s,after=%s,clear=%s,calm=%s"
            .formatted(
                rule.word(),
                rule.unit().format(t.limit()),
                DurationText.format(t.after()),
                DurationText.format(t.clear()),
                rule.unit().format(t.calm()))
        : rule.word() + "=" + OFF;
  }
}
