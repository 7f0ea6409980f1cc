package dev.semel.idempotency;

import dev.semel.Operation;
import dev.semel.Tenant;
import java.util.List;

/** How the requests of one operation are keyed, told apart and executed. */
public record Rules<R, T>(
    Tenant tenant,
    Operation operation,
    KeyStrategy<? super R> keys,
    Fingerprinter<? super R> fingerprints,
    Codec<T> codec,
    Policy policy) {
  /** Rules of the default tenant, without fingerprints, with everything else at its default. */
  public static <R, T> Rules<R, T> of(
      String operation, KeyStrategy<? super R> keys, Codec<T> codec) {
    return new Rules<>(
        Tenant.DEFAULT,
        new Operation(operation),
        keys,
        request -> List.of(),
        codec,
        Policy.defaults());
  }

  public Rules<R, T> withTenant(Tenant tenant) {
    return new Rules<>(tenant, operation, keys, fingerprints, codec, policy);
  }

  /** A strategy that brings fingerprints of its own, as the hybrid one does, goes before these. */
  public Rules<R, T> withFingerprints(Fingerprinter<? super R> fingerprints) {
    return new Rules<>(tenant, operation, keys, fingerprints, codec, policy);
  }

  public Rules<R, T> withPolicy(Policy policy) {
    return new Rules<>(tenant, operation, keys, fingerprints, codec, policy);
  }
}
