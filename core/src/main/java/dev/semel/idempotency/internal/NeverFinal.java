package dev.semel.idempotency.internal;

/**
 * What work throws to give its key back whatever the policy, or an operator, calls final: it is no
 * failure of what was to be done, but the way out of it.
 */
public interface NeverFinal {}
