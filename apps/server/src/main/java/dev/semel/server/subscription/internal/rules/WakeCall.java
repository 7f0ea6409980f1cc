package dev.semel.server.subscription.internal.rules;

/**
 * A call for a wake, to be made once the wake is stored, and only if it is still in flight then.
 */
public record WakeCall(String id, long generation) {}
