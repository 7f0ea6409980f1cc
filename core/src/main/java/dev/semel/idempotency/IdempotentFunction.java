package dev.semel.idempotency;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.event.Event;
import dev.semel.idempotency.internal.ShadowComparison;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A plain function made idempotent: {@link OperationRules} give each request its key and
 * fingerprint, and each request is handled once. {@link Idempotency#decorate} makes one. Safe for
 * use by many threads if the function is.
 */
public final class IdempotentFunction<R, T> {
  private final Idempotency idempotency;
  private final OperationRules<R, T> rules;
  private final BiFunction<R, Execution, T> handler;
  private final ShadowComparison comparison;
  private volatile Strategies<R> strategies;

  /**
   * The strategies in use; rebuilt when the operators' settings change.
   *
   * @param replaced the strategy that operators replaced or removed last
   * @param until the end of its use
   * @param old the older strategy that the code names, used beside the current one from then on
   */
  private record Strategies<R>(
      OperationSettings settings,
      KeyStrategy<? super R> current,
      Optional<KeyStrategy<? super R>> replaced,
      Instant until,
      Optional<KeyStrategy<? super R>> old,
      Optional<KeyStrategy<? super R>> shadow) {
    Optional<KeyStrategy<? super R>> oldNow() {
      return replaced.isPresent() && Instant.now().isBefore(until) ? replaced : old;
    }
  }

  IdempotentFunction(
      Idempotency idempotency, OperationRules<R, T> rules, BiFunction<R, Execution, T> handler) {
    if (!rules.keys().repeatable()) {
      throw new InvalidInput(
          "the operation %s would recognise no duplicate: its key strategy draws a new id at every call; let the sender draw it once, send it along, and take it from the request with KeyStrategies.own(request -> request.id(), …), or make the key of the request's fields with KeyStrategies.contentHash(…)"
              .formatted(rules.operation()));
    }
    this.idempotency = idempotency;
    this.rules = rules;
    this.handler = handler;
    this.comparison = new ShadowComparison();
    this.strategies = strategies(OperationSettings.NONE);
  }

  /** Handles the request unless it was handled before. */
  public Outcome<T> apply(R request) {
    return apply(request, "");
  }

  /**
   * Handles the request unless it was handled before. The function's exception passes through to
   * the caller.
   *
   * @param requestId the caller's name for the request, shown to duplicates; may be empty
   */
  public Outcome<T> apply(R request, String requestId) {
    Strategies<R> use = strategies();
    KeyChoice keying = use.current().keying(request);
    ExecutionRequest<T> keyed = keyed(request, keying, requestId);
    Optional<KeyChoice> old = use.oldNow().flatMap(strategy -> ifItCan(strategy, request));
    if (old.isPresent()) {
      ExecutionRequest<T> also = keyed(request, old.get(), requestId);
      keyed = also.key().equals(keyed.key()) ? keyed : keyed.withAlso(also);
    }
    Optional<KeyChoice> shadow = use.shadow().flatMap(strategy -> ifItCan(strategy, request));
    if (shadow.isPresent()) {
      String shadowId = shadow.get().id();
      comparison
          .compare(keying.id(), shadowId)
          .ifPresent(found -> reportDifference(keying.id(), requestId, shadowId, found));
    }
    return idempotency.execute(keyed, execution -> handler.apply(request, execution));
  }

  /**
   * A request without a key under a strategy was never handled under it, and must not fail for it.
   */
  private static <R> Optional<KeyChoice> ifItCan(KeyStrategy<? super R> strategy, R request) {
    try {
      return Optional.of(strategy.keying(request));
    } catch (InvalidInput e) {
      return Optional.empty();
    }
  }

  private ExecutionRequest<T> keyed(R request, KeyChoice keying, String requestId) {
    List<Fingerprint> fingerprints =
        keying.fingerprints().isEmpty() ? rules.fingerprints().of(request) : keying.fingerprints();
    ExecutionRequest<T> keyed =
        ExecutionRequest.of(key(keying.id()), rules.codec())
            .withFingerprints(fingerprints)
            .withPolicy(rules.policy())
            .withRequestId(requestId);
    return keying.collisionId().isEmpty()
        ? keyed
        : keyed.withOnCollision(key(keying.collisionId()));
  }

  private void reportDifference(
      String id, String requestId, String shadowId, Event.StrategiesDiffer.Difference found) {
    idempotency.reporter().emit(new Event.StrategiesDiffer(key(id), requestId, shadowId, found));
  }

  private Strategies<R> strategies() {
    Strategies<R> use = strategies;
    OperationSettings set = idempotency.settings().of(rules.operation());
    if (!set.equals(use.settings())) {
      use = strategies(set);
      strategies = use;
    }
    return use;
  }

  private Strategies<R> strategies(OperationSettings set) {
    Optional<Function<? super R, byte[]>> body = rules.body();
    if (body.isEmpty()) {
      return new Strategies<>(
          set, rules.keys(), Optional.empty(), Instant.MAX, rules.oldKeys(), Optional.empty());
    }
    Optional<KeyStrategy<? super R>> named = set.strategy().map(n -> over(n, body.get()));
    return new Strategies<>(
        set,
        named.orElse(rules.keys()),
        set.oldStrategy().map(n -> over(n, body.get())),
        set.oldStrategyUntil(),
        named.isPresent() ? Optional.empty() : rules.oldKeys(),
        set.shadow().map(n -> over(n, body.get())));
  }

  private static <R> KeyStrategy<? super R> over(
      NamedStrategy named, Function<? super R, byte[]> body) {
    return named.strategy().<R>taking(body);
  }

  private Key key(String id) {
    return new Key(rules.tenant(), rules.operation(), id);
  }
}
