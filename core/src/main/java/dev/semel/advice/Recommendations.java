package dev.semel.advice;

import dev.semel.Operation;
import java.util.List;
import java.util.stream.Stream;

/**
 * All that there is to say.
 *
 * @param advice by operation
 * @param withheld where nothing is said about the retention, and why
 */
public record Recommendations(List<Advice> advice, List<Withheld> withheld) {
  public Recommendations {
    advice = List.copyOf(advice);
    withheld = List.copyOf(withheld);
  }

  /** Both. */
  public Recommendations and(Recommendations other) {
    return new Recommendations(
        Stream.concat(advice.stream(), other.advice.stream()).toList(),
        Stream.concat(withheld.stream(), other.withheld.stream()).toList());
  }

  /** Nothing can be said yet. */
  public record Withheld(Operation operation, String why) {}
}
