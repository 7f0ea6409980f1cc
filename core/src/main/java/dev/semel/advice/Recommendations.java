package dev.semel.advice;

import dev.semel.Operation;
import java.util.List;
import java.util.stream.Stream;

/**
 * The advice for a store, and where none can be given.
 *
 * @param advice by operation
 * @param withheld operations without advice about the retention, and why
 */
public record Recommendations(List<Advice> advice, List<Withheld> withheld) {
  public Recommendations {
    advice = List.copyOf(advice);
    withheld = List.copyOf(withheld);
  }

  /** Both lists joined. */
  public Recommendations and(Recommendations other) {
    return new Recommendations(
        Stream.concat(advice.stream(), other.advice.stream()).toList(),
        Stream.concat(withheld.stream(), other.withheld.stream()).toList());
  }

  /** An operation for which nothing can be recommended yet. */
  public record Withheld(Operation operation, String why) {}
}
