package dev.semel.idempotency.spi;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One count per {@link DecisionCounter}, and one per {@link DuplicateAge} at which duplicates
 * arrived; missing counts are zero.
 */
public record DecisionCounts(Map<DecisionCounter, Long> values, Map<DuplicateAge, Long> ages) {
  public static final DecisionCounts ZERO = new DecisionCounts(Map.of());

  private static final Map<String, DecisionCounter> COUNTERS =
      Arrays.stream(DecisionCounter.values())
          .collect(Collectors.toMap(DecisionCounter::field, Function.identity()));
  private static final Map<String, DuplicateAge> AGES =
      Arrays.stream(DuplicateAge.values())
          .collect(Collectors.toMap(DuplicateAge::field, Function.identity()));

  public DecisionCounts {
    values = nonZero(new EnumMap<>(DecisionCounter.class), values);
    ages = nonZero(new EnumMap<>(DuplicateAge.class), ages);
  }

  public DecisionCounts(Map<DecisionCounter, Long> values) {
    this(values, Map.of());
  }

  private static <E extends Enum<E>> Map<E, Long> nonZero(
      EnumMap<E, Long> copy, Map<E, Long> values) {
    copy.putAll(values);
    copy.values().removeIf(value -> value == 0);
    return Collections.unmodifiableMap(copy);
  }

  public long get(DecisionCounter counter) {
    return values.getOrDefault(counter, 0L);
  }

  public long get(DuplicateAge age) {
    return ages.getOrDefault(age, 0L);
  }

  public DecisionCounts plus(DecisionCounts other) {
    Map<DecisionCounter, Long> sum = new HashMap<>(values);
    other.values.forEach((counter, value) -> sum.merge(counter, value, Long::sum));
    Map<DuplicateAge, Long> all = new HashMap<>(ages);
    other.ages.forEach((age, value) -> all.merge(age, value, Long::sum));
    return new DecisionCounts(sum, all);
  }

  /** The counts by the names under which stores keep them; without zeros. */
  public Map<String, Long> fields() {
    Map<String, Long> fields = new LinkedHashMap<>();
    values.forEach((counter, value) -> fields.put(counter.field(), value));
    ages.forEach((age, value) -> fields.put(age.field(), value));
    return fields;
  }

  /**
   * Parses {@link #fields()}; counts that only another version of this program knows are left out.
   */
  public static DecisionCounts ofFields(Map<String, Long> fields) {
    Map<DecisionCounter, Long> values = new EnumMap<>(DecisionCounter.class);
    Map<DuplicateAge, Long> ages = new EnumMap<>(DuplicateAge.class);
    fields.forEach(
        (field, value) -> {
          DecisionCounter counter = COUNTERS.get(field);
          DuplicateAge age = AGES.get(field);
          if (counter != null) {
            values.put(counter, value);
          } else if (age != null) {
            ages.put(age, value);
          }
        });
    return new DecisionCounts(values, ages);
  }

  /** Duplicates among all requests, from 0 to 1; 0 when there were none. */
  public double hitRate() {
    long requests = get(DecisionCounter.REQUESTS);
    return requests == 0 ? 0 : (double) get(DecisionCounter.DUPLICATES) / requests;
  }
}
