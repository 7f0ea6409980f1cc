package dev.semel.idempotency.internal;

/**
 * Thrown by work to have its end kept, whatever the policy or an operator calls final: it marks a
 * final decision, not a failure.
 */
public interface AlwaysFinal {}
