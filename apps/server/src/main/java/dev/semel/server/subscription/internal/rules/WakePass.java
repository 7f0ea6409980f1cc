package dev.semel.server.subscription.internal.rules;

/** The content of a token: one wake of one subscription. */
public record WakePass(String subscription, String wake, long generation) {}
