package dev.semel.proof.report;

import dev.semel.Key;
import dev.semel.proof.history.RecordedCall;
import dev.semel.proof.history.RecordedEffect;
import dev.semel.proof.history.Violation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All violations of one key: a lost record often also causes a second run and wrong answers.
 *
 * @param violations those that callers noticed first, then those of the store's steps
 */
public record Counterexample(Key key, List<Violation> violations) {
  public Counterexample {
    violations = violations.stream().sorted(Comparator.comparingInt(Counterexample::rank)).toList();
  }

  public static List<Counterexample> of(List<Violation> violations) {
    Map<Key, List<Violation>> byKey = new LinkedHashMap<>();
    violations.forEach(v -> byKey.computeIfAbsent(v.key(), k -> new ArrayList<>()).add(v));
    return byKey.entrySet().stream()
        .map(entry -> new Counterexample(entry.getKey(), entry.getValue()))
        .sorted(Comparator.comparingInt(example -> rank(example.violations().get(0))))
        .toList();
  }

  private static int rank(Violation violation) {
    if (!violation.effects().isEmpty()) {
      return 0;
    }
    return violation.calls().stream().anyMatch(HistoryTally::isExecution) ? 1 : 2;
  }

  public List<RecordedCall> calls() {
    return violations.stream()
        .flatMap(violation -> violation.calls().stream())
        .distinct()
        .sorted(Comparator.comparingLong(RecordedCall::beganNanos))
        .toList();
  }

  public List<RecordedEffect> effects() {
    return violations.stream()
        .flatMap(violation -> violation.effects().stream())
        .distinct()
        .sorted(Comparator.comparingLong(RecordedEffect::atNanos))
        .toList();
  }
}
