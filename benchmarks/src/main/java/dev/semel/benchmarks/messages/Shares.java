package dev.semel.benchmarks.messages;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Measures where the time goes. */
final class Shares {
  private final Map<String, Long> nanos = new ConcurrentSkipListMap<>();
  private double seconds;

  <T> T of(String what, Supplier<T> step) {
    long started = System.nanoTime();
    try {
      return step.get();
    } finally {
      add(what, System.nanoTime() - started);
    }
  }

  void add(String what, long spent) {
    nanos.merge(what, spent, Long::sum);
  }

  /** Ends one round. */
  double took(double round) {
    seconds += round;
    return round;
  }

  /** Each part with its share of all rounds, and the remainder. */
  String text(String rest) {
    double known = nanos.values().stream().mapToLong(each -> each).sum() / 1e9;
    return nanos.entrySet().stream()
            .map(e -> percent(e.getKey(), e.getValue() / 1e9))
            .collect(Collectors.joining(", "))
        + ", "
        + percent(rest, seconds - known);
  }

  private String percent(String what, double part) {
    return String.format(Locale.ROOT, "%s %.0f %%", what, 100 * part / seconds);
  }
}
