package dev.semel.idempotency;

import dev.semel.Operation;
import dev.semel.Tenant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * How the requests of one operation are keyed, told apart and executed.
 *
 * @param oldKeys the strategy that {@code keys} replaces, while records made under it may be met;
 *     see {@link #replacing}
 * @param body the JSON body of a request, where operators may set another strategy for it
 */
public record OperationRules<R, T>(
    Tenant tenant,
    Operation operation,
    KeyStrategy<? super R> keys,
    Optional<KeyStrategy<? super R>> oldKeys,
    Optional<Function<? super R, byte[]>> body,
    Fingerprinter<? super R> fingerprints,
    Codec<T> codec,
    ExecutionPolicy policy) {
  /** Rules of the default tenant, without fingerprints, with everything else at its default. */
  public static <R, T> OperationRules<R, T> of(
      String operation, KeyStrategy<? super R> keys, Codec<T> codec) {
    return new OperationRules<>(
        Tenant.DEFAULT,
        new Operation(operation),
        keys,
        Optional.empty(),
        Optional.empty(),
        request -> List.of(),
        codec,
        ExecutionPolicy.defaults());
  }

  public OperationRules<R, T> withTenant(Tenant tenant) {
    return new OperationRules<>(
        tenant, operation, keys, oldKeys, body, fingerprints, codec, policy);
  }

  /**
   * Requests must not have happened under the old strategy's key either. To change strategies
   * without downtime: first let every process run with this, after one retention let them run with
   * the new strategy alone. Each step may be rolled out slowly, for those of two neighbouring steps
   * always have a key in common.
   */
  public OperationRules<R, T> replacing(KeyStrategy<? super R> old) {
    return new OperationRules<>(
        tenant, operation, keys, Optional.of(old), body, fingerprints, codec, policy);
  }

  /** Lets operators set the strategy, or one to compare it with, for this JSON body. */
  public OperationRules<R, T> withBody(Function<? super R, byte[]> body) {
    return new OperationRules<>(
        tenant, operation, keys, oldKeys, Optional.of(body), fingerprints, codec, policy);
  }

  /** A strategy that brings fingerprints of its own, as the hybrid one does, goes before these. */
  public OperationRules<R, T> withFingerprints(Fingerprinter<? super R> fingerprints) {
    return new OperationRules<>(
        tenant, operation, keys, oldKeys, body, fingerprints, codec, policy);
  }

  public OperationRules<R, T> withPolicy(ExecutionPolicy policy) {
    return new OperationRules<>(
        tenant, operation, keys, oldKeys, body, fingerprints, codec, policy);
  }
}
