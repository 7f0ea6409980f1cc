package dev.semel.proof.history;

import dev.semel.idempotency.spi.RecordState;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks that an acknowledged result stays for its retention: later callers get the same value, or
 * no answer because of a fault.
 */
final class NothingLost implements HistoryChecker {
  private final CallTiming timing;

  NothingLost(Duration tolerance) {
    this.timing = new CallTiming(tolerance);
  }

  @Override
  public String promise() {
    return "nothing acknowledged is lost";
  }

  @Override
  public List<Violation> check(History history) {
    return KeyHistory.of(history).stream().flatMap(this::check).toList();
  }

  private Stream<Violation> check(KeyHistory key) {
    Optional<RecordedCall> first =
        key.executions()
            .filter(run -> KeyHistory.answered(run, RecordedAnswer.Kind.EXECUTED))
            .min(Comparator.comparingLong(RecordedCall::endedNanos));
    return first.stream()
        .flatMap(
            done ->
                key.executions()
                    .filter(later -> later.beganNanos() > done.endedNanos())
                    .filter(later -> !mayBeForgotten(key, done, later))
                    .filter(later -> !agrees(done.answer(), later.answer()))
                    .map(later -> violation(key, done, later)));
  }

  private boolean mayBeForgotten(KeyHistory key, RecordedCall done, RecordedCall later) {
    return key.completions(
            RecordState.COMPLETED, RecordedAnswer.Kind.YES, RecordedAnswer.Kind.UNKNOWN)
        .map(completion -> ((RecordedAction.Complete) completion.action()).retention())
        .min(Duration::compareTo)
        .filter(kept -> timing.mayBeOver(kept, CallTiming.Span.of(done), CallTiming.Span.of(later)))
        .isPresent();
  }

  private static boolean agrees(RecordedAnswer first, RecordedAnswer later) {
    return switch (later.kind()) {
      case REPLAY -> later.value().equals(first.value());
      // Another request or a fault says nothing about the first result. Neither does IN_FLIGHT: the
      // caller waited in vain for another one of its process, and was asked to try again.
      case MISMATCH, THREW, UNKNOWN, IN_FLIGHT -> true;
      case EXECUTED, UNRECORDED, FAILED, IN_DOUBT -> false;
      case GRANTED, TAKEN_OVER, YES, NO ->
          throw new IllegalArgumentException("no execution is answered " + later.kind());
    };
  }

  private Violation violation(KeyHistory key, RecordedCall done, RecordedCall later) {
    return key.violation(
        promise(),
        "%s was acknowledged as %s, but later %s was answered %s"
            .formatted(
                CallWords.asked(done),
                CallWords.answer(done),
                CallWords.asked(later),
                CallWords.answer(later)),
        List.of(done, later));
  }
}
