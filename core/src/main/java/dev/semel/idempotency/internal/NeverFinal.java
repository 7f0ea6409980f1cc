package dev.semel.idempotency.internal;

/**
 * Thrown by work to have its key released, whatever the policy or an operator calls final: it
 * leaves the execution without being a failure of the work.
 */
public interface NeverFinal {}
