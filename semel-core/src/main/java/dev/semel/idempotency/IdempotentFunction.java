package dev.semel.idempotency;

import dev.semel.Key;
import java.util.List;

/**
 * A plain function made idempotent: its requests are keyed and told apart by {@link Rules}, and
 * each is handled once. Safe for use by many threads if the function is.
 */
public final class IdempotentFunction<R, T, X extends Exception> {
  /** The plain function. */
  @FunctionalInterface
  public interface Handler<R, T, X extends Exception> {
    T handle(R request, Execution execution) throws X;
  }

  private final Idempotency idempotency;
  private final Rules<R, T> rules;
  private final Handler<R, T, X> handler;

  IdempotentFunction(Idempotency idempotency, Rules<R, T> rules, Handler<R, T, X> handler) {
    this.idempotency = idempotency;
    this.rules = rules;
    this.handler = handler;
  }

  public Outcome<T> apply(R request) throws X {
    return apply(request, "");
  }

  /**
   * Handles the request unless it was handled before.
   *
   * @param requestId the caller's own name for it, shown to duplicates; may be empty
   */
  public Outcome<T> apply(R request, String requestId) throws X {
    Keying keying = rules.keys().keying(request);
    List<Fingerprint> fingerprints =
        keying.fingerprints().isEmpty() ? rules.fingerprints().of(request) : keying.fingerprints();
    Request<T> keyed =
        Request.of(key(keying.id()), rules.codec())
            .withFingerprints(fingerprints)
            .withPolicy(rules.policy())
            .withRequestId(requestId);
    return idempotency.execute(
        keying.collisionId().isEmpty() ? keyed : keyed.withOnCollision(key(keying.collisionId())),
        execution -> handler.handle(request, execution));
  }

  private Key key(String id) {
    return new Key(rules.tenant(), rules.operation(), id);
  }
}
