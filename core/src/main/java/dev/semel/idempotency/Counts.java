package dev.semel.idempotency;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One number per {@link Counter}, and one per {@link Age} at which duplicates arrived; what is
 * missing stands at zero.
 */
public record Counts(Map<Counter, Long> values, Map<Age, Long> ages) {
  public static final Counts ZERO = new Counts(Map.of());

  private static final Map<String, Counter> COUNTERS =
      Arrays.stream(Counter.values())
          .collect(Collectors.toMap(Counter::field, Function.identity()));
  private static final Map<String, Age> AGES =
      Arrays.stream(Age.values()).collect(Collectors.toMap(Age::field, Function.identity()));

  public Counts {
    values = nonZero(new EnumMap<>(Counter.class), values);
    ages = nonZero(new EnumMap<>(Age.class), ages);
  }

  public Counts(Map<Counter, Long> values) {
    this(values, Map.of());
  }

  private static <E extends Enum<E>> Map<E, Long> nonZero(
      EnumMap<E, Long> copy, Map<E, Long> values) {
    copy.putAll(values);
    copy.values().removeIf(value -> value == 0);
    return Collections.unmodifiableMap(copy);
  }

  public long get(Counter counter) {
    return values.getOrDefault(counter, 0L);
  }

  public long get(Age age) {
    return ages.getOrDefault(age, 0L);
  }

  public Counts plus(Counts other) {
    Map<Counter, Long> sum = new HashMap<>(values);
    other.values.forEach((counter, value) -> sum.merge(counter, value, Long::sum));
    Map<Age, Long> all = new HashMap<>(ages);
    other.ages.forEach((age, value) -> all.merge(age, value, Long::sum));
    return new Counts(sum, all);
  }

  /** By the names under which stores keep them; without zeros. */
  public Map<String, Long> fields() {
    Map<String, Long> fields = new LinkedHashMap<>();
    values.forEach((counter, value) -> fields.put(counter.field(), value));
    ages.forEach((age, value) -> fields.put(age.field(), value));
    return fields;
  }

  /** From {@link #fields()}; what only another version of this program knows is left out. */
  public static Counts ofFields(Map<String, Long> fields) {
    Map<Counter, Long> values = new EnumMap<>(Counter.class);
    Map<Age, Long> ages = new EnumMap<>(Age.class);
    fields.forEach(
        (field, value) -> {
          Counter counter = COUNTERS.get(field);
          Age age = AGES.get(field);
          if (counter != null) {
            values.put(counter, value);
          } else if (age != null) {
            ages.put(age, value);
          }
        });
    return new Counts(values, ages);
  }

  /** Duplicates among all requests, from 0 to 1; 0 when there were none. */
  public double hitRate() {
    long requests = get(Counter.REQUESTS);
    return requests == 0 ? 0 : (double) get(Counter.DUPLICATES) / requests;
  }
}
