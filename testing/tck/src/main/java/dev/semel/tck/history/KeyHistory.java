package dev.semel.tck.history;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.RecordState;
import dev.semel.idempotency.TakeoverPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What a history tells of one key. */
record KeyHistory(Key key, List<Call> calls, List<Effect> effects) {
  static List<KeyHistory> of(History history) {
    Map<Key, KeyHistory> keys = new LinkedHashMap<>();
    history.calls().forEach(call -> of(keys, call.key()).calls.add(call));
    history.effects().forEach(effect -> of(keys, effect.key()).effects.add(effect));
    return List.copyOf(keys.values());
  }

  private static KeyHistory of(Map<Key, KeyHistory> keys, Key key) {
    return keys.computeIfAbsent(key, k -> new KeyHistory(k, new ArrayList<>(), new ArrayList<>()));
  }

  Stream<Call> executions() {
    return calls.stream().filter(call -> call.action() instanceof Action.Execute);
  }

  /** Those that ended as told, and were answered or may have been. */
  Stream<Call> completions(RecordState state, Answer.Kind... kinds) {
    return calls.stream()
        .filter(call -> call.action() instanceof Action.Complete c && c.state() == state)
        .filter(call -> answered(call, kinds));
  }

  static boolean answered(Call call, Answer.Kind... kinds) {
    return List.of(kinds).contains(call.answer().kind());
  }

  /** Whose claims were granted with certainty; in order of their beginning. */
  Stream<Call> grants() {
    return calls.stream()
        .filter(call -> call.action() instanceof Action.Claim)
        .filter(call -> answered(call, Answer.Kind.GRANTED, Answer.Kind.TAKEN_OVER));
  }

  /** The token that a step on the store was taken with. */
  static Optional<Token> token(Call call) {
    return switch (call.action()) {
      case Action.Claim c -> Optional.of(c.token());
      case Action.Renew r -> Optional.of(r.token());
      case Action.Complete c -> Optional.of(c.token());
      case Action.Release r -> Optional.of(r.token());
      case Action.Execute e -> Optional.empty();
    };
  }

  /**
   * Whether what this completion accepted may be forgotten when the other call is made. A token
   * that completes again is told yes, but the retention runs from its first time.
   */
  boolean mayBeForgotten(Call completion, Call at, Timing timing) {
    Token token = token(completion).orElseThrow();
    return calls.stream()
        .filter(call -> call.action() instanceof Action.Complete c && c.token().equals(token))
        .filter(call -> answered(call, Answer.Kind.YES, Answer.Kind.UNKNOWN))
        .anyMatch(
            call ->
                timing.mayBeOver(
                    retention(call).orElseThrow(), Timing.Span.of(call), Timing.Span.of(at)));
  }

  /** Whether anyone was allowed to take over. */
  boolean runsAgain() {
    return calls.stream()
        .anyMatch(
            call ->
                switch (call.action()) {
                  case Action.Claim c -> c.takeover() == TakeoverPolicy.RUN_AGAIN;
                  case Action.Execute e -> e.takeover() == TakeoverPolicy.RUN_AGAIN;
                  case Action.Renew r -> false;
                  case Action.Complete c -> false;
                  case Action.Release r -> false;
                });
  }

  /**
   * Until when the record can't have been forgotten, whatever was done: its shortest retention from
   * the first call on.
   */
  long keptUntilNanos(Duration tolerance) {
    Optional<Duration> shortest =
        calls.stream().flatMap(call -> retention(call).stream()).min(Duration::compareTo);
    return shortest.isEmpty()
        ? Call.NEVER
        : calls.getFirst().beganNanos() + shortest.get().minus(tolerance).toNanos();
  }

  private static Optional<Duration> retention(Call call) {
    return switch (call.action()) {
      case Action.Claim c -> Optional.of(c.retention());
      case Action.Complete c -> Optional.of(c.retention());
      case Action.Renew r -> Optional.empty();
      case Action.Release r -> Optional.empty();
      case Action.Execute e -> Optional.empty();
    };
  }

  Violation violation(String promise, String what, List<Call> shown) {
    return new Violation(promise, key, what, shown, List.of());
  }
}
