package dev.semel.idempotency;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/** One number per {@link Counter}; a counter that is missing stands at zero. */
public record Counts(Map<Counter, Long> values) {
  public static final Counts ZERO = new Counts(Map.of());

  public Counts {
    EnumMap<Counter, Long> nonZero = new EnumMap<>(Counter.class);
    values.forEach((counter, value) -> nonZero.merge(counter, value, Long::sum));
    nonZero.values().removeIf(value -> value == 0);
    values = Collections.unmodifiableMap(nonZero);
  }

  public long get(Counter counter) {
    return values.getOrDefault(counter, 0L);
  }

  public Counts plus(Counts other) {
    EnumMap<Counter, Long> sum = new EnumMap<>(Counter.class);
    sum.putAll(values);
    other.values.forEach((counter, value) -> sum.merge(counter, value, Long::sum));
    return new Counts(sum);
  }

  /** Duplicates among all requests, from 0 to 1; 0 when there were none. */
  public double hitRate() {
    long requests = get(Counter.REQUESTS);
    return requests == 0 ? 0 : (double) get(Counter.DUPLICATES) / requests;
  }
}
