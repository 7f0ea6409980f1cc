package dev.semel.alert.internal;

import dev.semel.alert.Alert;
import dev.semel.alert.AlertRule;
import dev.semel.alert.AlertSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All alerts of the watched parts. From each sample it decides which alerts began and which are
 * over. Safe for use by many threads.
 *
 * <p>Its state ends with the process: the next one reports alerts beyond their limit again, under
 * another id.
 */
public final class AlertList {
  /** How long a resolved alert is still shown. */
  public static final Duration RESOLVED_SHOWN = Duration.ofHours(24);

  /** How many resolved alerts are shown. */
  public static final int MAX_RESOLVED = 100;

  private static final Comparator<Alert> ORDER =
      Comparator.comparingInt((Alert alert) -> shown(alert.state()))
          .thenComparing(Comparator.comparing((Alert a) -> a.rule().severity()).reversed())
          .thenComparing(Alert::since)
          .thenComparing(Alert::rule)
          .thenComparing(Alert::subject);

  private final AlertSettings settings;
  private final HitRates rates;
  private final Map<Place, AlertState> courses = new HashMap<>();

  private record Place(AlertRule rule, String subject) {}

  public AlertList(AlertSettings settings) {
    this.settings = settings;
    this.rates = new HitRates(settings.of(AlertRule.HIT_RATE).limit());
  }

  /** Takes a sample; returns the alerts that began to fire or were resolved by it. */
  public synchronized List<Alert> observe(AlertSample measures) {
    Map<AlertRule, List<RuleReading>> readings = RuleEvaluator.read(measures, settings);
    measures
        .store()
        .ifPresent(
            store -> {
              rates.learn(store.minutes(), store.now());
              readings.put(AlertRule.HIT_RATE, rates.readings(store.now()));
            });
    List<Alert> changed = new ArrayList<>();
    readings.forEach(
        (rule, all) -> {
          if (settings.of(rule).on()) {
            observe(rule, all, measures, changed);
          }
        });
    forget(measures.at());
    return changed;
  }

  private void observe(
      AlertRule rule, List<RuleReading> readings, AlertSample measures, List<Alert> changed) {
    Instant at = measures.at();
    Set<String> seen = new HashSet<>();
    for (RuleReading reading : readings) {
      seen.add(reading.subject());
      courses
          .computeIfAbsent(
              new Place(rule, reading.subject()), p -> new AlertState(rule, settings.of(rule)))
          .after(reading, at)
          .ifPresent(changed::add);
    }
    courses.forEach(
        (place, course) -> {
          if (place.rule() == rule
              && !seen.contains(place.subject())
              && RuleEvaluator.canSay(rule, place.subject(), measures)) {
            course.after(course.gone(place.subject()), at).ifPresent(changed::add);
          }
        });
  }

  private void forget(Instant at) {
    courses.values().removeIf(course -> course.alert().isEmpty());
    List<Alert> over =
        list().stream()
            .filter(alert -> alert.state() == Alert.State.RESOLVED)
            .sorted(Comparator.comparing(Alert::since).reversed())
            .toList();
    Instant oldest = at.minus(RESOLVED_SHOWN);
    for (int i = 0; i < over.size(); i++) {
      if (i >= MAX_RESOLVED || over.get(i).since().isBefore(oldest)) {
        courses.remove(new Place(over.get(i).rule(), over.get(i).subject()));
      }
    }
  }

  /** Firing alerts first, then pending ones, then resolved ones. */
  public synchronized List<Alert> list() {
    return courses.values().stream()
        .flatMap(course -> course.alert().stream())
        .sorted(ORDER)
        .toList();
  }

  private static int shown(Alert.State state) {
    return switch (state) {
      case FIRING -> 0;
      case PENDING -> 1;
      case RESOLVED -> 2;
    };
  }

  /** Whether any alert fires. */
  public static boolean anyFires(List<Alert> alerts) {
    return alerts.stream().anyMatch(alert -> alert.state() == Alert.State.FIRING);
  }
}
