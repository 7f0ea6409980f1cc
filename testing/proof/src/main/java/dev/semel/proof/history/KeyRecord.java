package dev.semel.proof.history;

import dev.semel.Token;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.RecordState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * One key's record in a correct store, one call at a time: the sequential specification. It
 * deliberately does not use the library's own decision.
 *
 * @param lease runs from {@code written}; used only in flight
 * @param retention the retention after a renewal or a release
 * @param kept how long it is kept from {@code written}
 * @param written the time of the last change
 */
record KeyRecord(
    RecordState state,
    Token token,
    Fingerprint fingerprint,
    int attempt,
    String value,
    Duration lease,
    Duration retention,
    Duration kept,
    CallTiming.Span written) {

  private static final Duration FOR_EVER = Duration.ofDays(36_500);

  /** No record: behaves like one that was released before the first attempt. */
  static final KeyRecord NONE =
      new KeyRecord(
          RecordState.RELEASED,
          new Token(new UUID(0, 0)),
          Fingerprint.NONE,
          0,
          "",
          Duration.ZERO,
          Duration.ZERO,
          FOR_EVER,
          CallTiming.Span.EVER);

  /**
   * A possible step for a call.
   *
   * @param next the record that it wrote; empty: none
   */
  record Step(RecordedAnswer answer, Optional<KeyRecord> next) {
    boolean answers(RecordedAnswer given) {
      return answer.kind() == given.kind()
          && (given.attempt() == 0 || answer.attempt() == given.attempt())
          && answer.value().equals(given.value());
    }
  }

  /** All steps that the timing allows. */
  List<Step> steps(RecordedAction action, CallTiming.Span at, CallTiming timing) {
    List<Step> steps = new ArrayList<>(3);
    boolean none = attempt == 0;
    if (none || timing.mayBeRunning(kept, written, at)) {
      steps(action, at, timing, steps);
    }
    if (!none && timing.mayBeOver(kept, written, at)) {
      NONE.steps(action, at, timing, steps);
    }
    return steps;
  }

  private void steps(
      RecordedAction action, CallTiming.Span at, CallTiming timing, List<Step> steps) {
    switch (action) {
      case RecordedAction.Claim c -> claim(c, at, timing, steps);
      case RecordedAction.Renew r ->
          steps.add(holds(r.token()) ? yes(renewed(r.lease(), at)) : no());
      case RecordedAction.Complete c ->
          steps.add(
              holds(c.token())
                  ? yes(ended(c, at))
                  : state.ended() && token.equals(c.token()) ? yesAlready() : no());
      case RecordedAction.Release r ->
          steps.add(
              holds(r.token())
                  ? yes(released(at))
                  : state == RecordState.RELEASED && token.equals(r.token()) ? yesAlready() : no());
      case RecordedAction.Execute e ->
          throw new IllegalArgumentException("no step on the store: " + e);
    }
  }

  private void claim(
      RecordedAction.Claim c, CallTiming.Span at, CallTiming timing, List<Step> steps) {
    if (holds(c.token())) {
      // The record does not store whether it was a takeover, so a later attempt claims so to be
      // safe.
      steps.add(
          answer(attempt > 1 ? RecordedAnswer.Kind.TAKEN_OVER : RecordedAnswer.Kind.GRANTED, ""));
    } else if (state == RecordState.RELEASED) {
      steps.add(taken(RecordedAnswer.Kind.GRANTED, c, at));
    } else if (!fingerprint.matches(c.fingerprint())) {
      steps.add(answer(RecordedAnswer.Kind.MISMATCH, ""));
    } else if (state.ended()) {
      steps.add(
          answer(
              state == RecordState.COMPLETED
                  ? RecordedAnswer.Kind.REPLAY
                  : RecordedAnswer.Kind.FAILED,
              value));
    } else {
      if (timing.mayBeRunning(lease, written, at)) {
        steps.add(answer(RecordedAnswer.Kind.IN_FLIGHT, ""));
      }
      if (timing.mayBeOver(lease, written, at)) {
        steps.add(
            c.takeover() == TakeoverPolicy.RUN_AGAIN
                ? taken(RecordedAnswer.Kind.TAKEN_OVER, c, at)
                : answer(RecordedAnswer.Kind.IN_DOUBT, ""));
      }
    }
  }

  private boolean holds(Token claimant) {
    return state == RecordState.IN_FLIGHT && token.equals(claimant);
  }

  private Step taken(RecordedAnswer.Kind kind, RecordedAction.Claim c, CallTiming.Span at) {
    KeyRecord next =
        new KeyRecord(
            RecordState.IN_FLIGHT,
            c.token(),
            c.fingerprint(),
            attempt + 1,
            "",
            c.lease(),
            c.retention(),
            c.retention(),
            at);
    return new Step(new RecordedAnswer(kind, attempt + 1, ""), Optional.of(next));
  }

  private KeyRecord renewed(Duration longer, CallTiming.Span at) {
    Duration least = longer.compareTo(retention) > 0 ? longer : retention;
    return new KeyRecord(state, token, fingerprint, attempt, value, longer, retention, least, at);
  }

  private KeyRecord ended(RecordedAction.Complete c, CallTiming.Span at) {
    return new KeyRecord(
        c.state(),
        token,
        fingerprint,
        attempt,
        c.value(),
        Duration.ZERO,
        c.retention(),
        c.retention(),
        at);
  }

  private KeyRecord released(CallTiming.Span at) {
    return new KeyRecord(
        RecordState.RELEASED,
        token,
        Fingerprint.NONE,
        attempt,
        "",
        Duration.ZERO,
        retention,
        retention,
        at);
  }

  private Step answer(RecordedAnswer.Kind kind, String said) {
    return new Step(new RecordedAnswer(kind, attempt, said), Optional.empty());
  }

  private static Step yes(KeyRecord next) {
    return new Step(RecordedAnswer.of(RecordedAnswer.Kind.YES), Optional.of(next));
  }

  private static Step yesAlready() {
    return new Step(RecordedAnswer.of(RecordedAnswer.Kind.YES), Optional.empty());
  }

  private static Step no() {
    return new Step(RecordedAnswer.of(RecordedAnswer.Kind.NO), Optional.empty());
  }

  /** A description for the report. */
  String shown() {
    return switch (state) {
      case IN_FLIGHT -> "in flight, attempt " + attempt;
      case COMPLETED -> "completed with " + value + ", attempt " + attempt;
      case FAILED -> "failed for good, attempt " + attempt;
      case RELEASED -> attempt == 0 ? "not there" : "released, attempt " + attempt;
    };
  }
}
