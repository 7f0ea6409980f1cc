package dev.semel.server.subscription.internal.rules;

/** Someone is to be told of a wake, once it is written down and if it is still in flight then. */
public record WakeCall(String id, long generation) {}
