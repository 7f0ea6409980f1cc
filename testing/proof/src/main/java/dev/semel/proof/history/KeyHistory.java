package dev.semel.proof.history;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.RecordState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The part of a history about one key. */
record KeyHistory(Key key, List<RecordedCall> calls, List<RecordedEffect> effects) {
  static List<KeyHistory> of(History history) {
    Map<Key, KeyHistory> keys = new LinkedHashMap<>();
    history.calls().forEach(call -> of(keys, call.key()).calls.add(call));
    history.effects().forEach(effect -> of(keys, effect.key()).effects.add(effect));
    return List.copyOf(keys.values());
  }

  private static KeyHistory of(Map<Key, KeyHistory> keys, Key key) {
    return keys.computeIfAbsent(key, k -> new KeyHistory(k, new ArrayList<>(), new ArrayList<>()));
  }

  Stream<RecordedCall> executions() {
    return calls.stream().filter(call -> call.action() instanceof RecordedAction.Execute);
  }

  /** Completions with this state that got one of these answers. */
  Stream<RecordedCall> completions(RecordState state, RecordedAnswer.Kind... kinds) {
    return calls.stream()
        .filter(call -> call.action() instanceof RecordedAction.Complete c && c.state() == state)
        .filter(call -> answered(call, kinds));
  }

  static boolean answered(RecordedCall call, RecordedAnswer.Kind... kinds) {
    return List.of(kinds).contains(call.answer().kind());
  }

  /** Claims that were certainly granted, in order of their beginning. */
  Stream<RecordedCall> grants() {
    return calls.stream()
        .filter(call -> call.action() instanceof RecordedAction.Claim)
        .filter(
            call -> answered(call, RecordedAnswer.Kind.GRANTED, RecordedAnswer.Kind.TAKEN_OVER));
  }

  /** The token of a step on the store. */
  static Optional<Token> token(RecordedCall call) {
    return switch (call.action()) {
      case RecordedAction.Claim c -> Optional.of(c.token());
      case RecordedAction.Renew r -> Optional.of(r.token());
      case RecordedAction.Complete c -> Optional.of(c.token());
      case RecordedAction.Release r -> Optional.of(r.token());
      case RecordedAction.Execute e -> Optional.empty();
    };
  }

  /**
   * Whether the result of this completion may be forgotten at the time of the other call. A token
   * that completes again gets a yes, but the retention runs from its first completion.
   */
  boolean mayBeForgotten(RecordedCall completion, RecordedCall at, CallTiming timing) {
    Token token = token(completion).orElseThrow();
    return calls.stream()
        .filter(
            call -> call.action() instanceof RecordedAction.Complete c && c.token().equals(token))
        .filter(call -> answered(call, RecordedAnswer.Kind.YES, RecordedAnswer.Kind.UNKNOWN))
        .anyMatch(
            call ->
                timing.mayBeOver(
                    retention(call).orElseThrow(),
                    CallTiming.Span.of(call),
                    CallTiming.Span.of(at)));
  }

  /** Whether any caller was allowed to take over. */
  boolean runsAgain() {
    return calls.stream()
        .anyMatch(
            call ->
                switch (call.action()) {
                  case RecordedAction.Claim c -> c.takeover() == TakeoverPolicy.RUN_AGAIN;
                  case RecordedAction.Execute e -> e.takeover() == TakeoverPolicy.RUN_AGAIN;
                  case RecordedAction.Renew r -> false;
                  case RecordedAction.Complete c -> false;
                  case RecordedAction.Release r -> false;
                });
  }

  /**
   * Until when the record must be kept, whatever was done: its shortest retention from the first
   * call on.
   */
  long keptUntilNanos(Duration tolerance) {
    Optional<Duration> shortest =
        calls.stream().flatMap(call -> retention(call).stream()).min(Duration::compareTo);
    return shortest.isEmpty()
        ? RecordedCall.NEVER
        : calls.getFirst().beganNanos() + shortest.get().minus(tolerance).toNanos();
  }

  private static Optional<Duration> retention(RecordedCall call) {
    return switch (call.action()) {
      case RecordedAction.Claim c -> Optional.of(c.retention());
      case RecordedAction.Complete c -> Optional.of(c.retention());
      case RecordedAction.Renew r -> Optional.empty();
      case RecordedAction.Release r -> Optional.empty();
      case RecordedAction.Execute e -> Optional.empty();
    };
  }

  Violation violation(String promise, String what, List<RecordedCall> shown) {
    return new Violation(promise, key, what, shown, List.of());
  }
}
