package dev.semel.proof.history;

import dev.semel.idempotency.spi.RecordState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks that every replay has the value that was accepted, and never a value that nobody stored.
 */
final class ReplayIsTheFirst implements HistoryChecker {
  private final CallTiming timing;

  ReplayIsTheFirst(Duration tolerance) {
    this.timing = new CallTiming(tolerance);
  }

  @Override
  public String promise() {
    return "a replay is the first accepted completion";
  }

  @Override
  public List<Violation> check(History history) {
    return KeyHistory.of(history).stream().flatMap(this::check).toList();
  }

  private Stream<Violation> check(KeyHistory key) {
    boolean stepsKnown = key.calls().stream().anyMatch(c -> KeyHistory.token(c).isPresent());
    return key.calls().stream()
        .filter(call -> stored(call, stepsKnown))
        .flatMap(
            call ->
                other(key, call)
                    .or(() -> stepsKnown ? unexplained(key, call) : unexecuted(key, call))
                    .stream());
  }

  /**
   * Whether the call has a stored value; an execution that ran has one only if the store says so.
   */
  private static boolean stored(RecordedCall call, boolean stepsKnown) {
    return KeyHistory.answered(call, RecordedAnswer.Kind.REPLAY)
        || (stepsKnown && KeyHistory.answered(call, RecordedAnswer.Kind.EXECUTED));
  }

  /** Another completion that was accepted before and is still kept. */
  private Optional<Violation> other(KeyHistory key, RecordedCall call) {
    return key.completions(RecordState.COMPLETED, RecordedAnswer.Kind.YES)
        .filter(done -> done.endedNanos() < call.beganNanos())
        .filter(done -> !value(done).equals(call.answer().value()))
        .filter(done -> !key.mayBeForgotten(done, call, timing))
        .findFirst()
        .map(
            done ->
                key.violation(
                    promise(),
                    "%s was answered %s although %s had been accepted"
                        .formatted(
                            CallWords.asked(call), CallWords.answer(call), CallWords.asked(done)),
                    List.of(done, call)));
  }

  private Optional<Violation> unexplained(KeyHistory key, RecordedCall call) {
    boolean explained =
        key.completions(RecordState.COMPLETED, RecordedAnswer.Kind.YES, RecordedAnswer.Kind.UNKNOWN)
            .anyMatch(
                done ->
                    done.beganNanos() <= call.endedNanos()
                        && value(done).equals(call.answer().value()));
    return explained ? Optional.empty() : Optional.of(ofNoOne(key, call));
  }

  /**
   * For histories of executions only: the value must come from one that ran, or from one without an
   * answer.
   */
  private Optional<Violation> unexecuted(KeyHistory key, RecordedCall call) {
    boolean explained =
        key.executions()
            .filter(run -> run.beganNanos() <= call.endedNanos())
            .anyMatch(
                run ->
                    KeyHistory.answered(run, RecordedAnswer.Kind.UNKNOWN)
                        || (KeyHistory.answered(
                                run, RecordedAnswer.Kind.EXECUTED, RecordedAnswer.Kind.UNRECORDED)
                            && run.answer().value().equals(call.answer().value())));
    return explained ? Optional.empty() : Optional.of(ofNoOne(key, call));
  }

  private Violation ofNoOne(KeyHistory key, RecordedCall call) {
    return key.violation(
        promise(),
        "%s was answered %s, which nobody had completed it with"
            .formatted(CallWords.asked(call), CallWords.answer(call)),
        key.calls());
  }

  private static String value(RecordedCall completion) {
    return ((RecordedAction.Complete) completion.action()).value();
  }
}
