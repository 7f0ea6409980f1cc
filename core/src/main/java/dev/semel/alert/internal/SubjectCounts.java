package dev.semel.alert.internal;

import dev.semel.internal.PrintableText;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** Numbers by subject, for a limited number of subjects; the others together. For one thread. */
final class SubjectCounts {
  private final Map<String, Double> numbers = new TreeMap<>();

  void add(String subject, double number) {
    numbers.merge(room(subject), number, Double::sum);
  }

  void most(String subject, double number) {
    numbers.merge(room(subject), number, Math::max);
  }

  /** Names of destinations and consumers come from applications, and reach terminals. */
  private String room(String subject) {
    String safe = PrintableText.safe(subject);
    return numbers.containsKey(safe) || numbers.size() < MinuteWindows.MAX_SUBJECTS
        ? safe
        : MinuteWindows.OTHER;
  }

  void forEach(BiConsumer<String, Double> action) {
    numbers.forEach(action);
  }
}
