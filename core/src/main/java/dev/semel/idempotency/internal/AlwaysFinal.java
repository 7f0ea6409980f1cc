package dev.semel.idempotency.internal;

/**
 * What work throws to have its end kept whatever the policy, or an operator, calls final: it says
 * that this was decided for good, and not that something failed.
 */
public interface AlwaysFinal {}
