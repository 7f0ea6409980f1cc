package dev.semel.idempotency;

import dev.semel.Operation;
import dev.semel.Tenant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The rules of one operation for {@link Idempotency#decorate}: how its requests get their keys and
 * fingerprints, and how they are executed.
 *
 * @param oldKeys the strategy that {@code keys} replaces, while its records may still exist; see
 *     {@link #replacing}
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
  /** Rules of the default tenant, without fingerprints, with default settings. */
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
   * Also checks the old strategy's key: a request must not have happened under it either. To change
   * strategies without downtime: first run every process with this, and after one retention with
   * the new strategy alone. Each step may be rolled out slowly, because processes of two
   * neighbouring steps always have a key in common.
   */
  public OperationRules<R, T> replacing(KeyStrategy<? super R> old) {
    return new OperationRules<>(
        tenant, operation, keys, Optional.of(old), body, fingerprints, codec, policy);
  }

  /** Lets operators set the strategy, or a second one to compare it with, for this JSON body. */
  public OperationRules<R, T> withBody(Function<? super R, byte[]> body) {
    return new OperationRules<>(
        tenant, operation, keys, oldKeys, Optional.of(body), fingerprints, codec, policy);
  }

  /**
   * Compares requests by these fingerprints, unless the strategy brings its own, as the hybrid one
   * does.
   */
  public OperationRules<R, T> withFingerprints(Fingerprinter<? super R> fingerprints) {
    return new OperationRules<>(
        tenant, operation, keys, oldKeys, body, fingerprints, codec, policy);
  }

  public OperationRules<R, T> withPolicy(ExecutionPolicy policy) {
    return new OperationRules<>(
        tenant, operation, keys, oldKeys, body, fingerprints, codec, policy);
  }
}
