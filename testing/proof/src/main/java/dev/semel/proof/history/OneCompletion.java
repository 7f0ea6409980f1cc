package dev.semel.proof.history;

import dev.semel.idempotency.spi.RecordState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Checks that a record ends once: with one token and one value, until its retention is over. */
final class OneCompletion implements HistoryChecker {
  private final CallTiming timing;

  OneCompletion(Duration tolerance) {
    this.timing = new CallTiming(tolerance);
  }

  @Override
  public String promise() {
    return "one accepted completion per key and attempt";
  }

  @Override
  public List<Violation> check(History history) {
    return KeyHistory.of(history).stream().flatMap(this::check).toList();
  }

  private Stream<Violation> check(KeyHistory key) {
    List<RecordedCall> accepted =
        Stream.concat(
                key.completions(RecordState.COMPLETED, RecordedAnswer.Kind.YES),
                key.completions(RecordState.FAILED, RecordedAnswer.Kind.YES))
            .toList();
    List<Violation> violations = new ArrayList<>();
    for (int i = 0; i < accepted.size(); i++) {
      for (RecordedCall other : accepted.subList(i + 1, accepted.size())) {
        RecordedCall one = accepted.get(i);
        if (!same(one, other)
            && !key.mayBeForgotten(one, other, timing)
            && !key.mayBeForgotten(other, one, timing)) {
          violations.add(
              key.violation(
                  promise(),
                  "%s and %s were both accepted"
                      .formatted(CallWords.asked(one), CallWords.asked(other)),
                  List.of(one, other)));
        }
      }
    }
    return violations.stream();
  }

  private static boolean same(RecordedCall one, RecordedCall other) {
    return one.action() instanceof RecordedAction.Complete a
        && other.action() instanceof RecordedAction.Complete b
        && a.token().equals(b.token())
        && a.state() == b.state()
        && a.value().equals(b.value());
  }
}
