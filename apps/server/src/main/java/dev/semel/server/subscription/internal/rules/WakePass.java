package dev.semel.server.subscription.internal.rules;

/** What a token is good for: one wake of one subscription. */
public record WakePass(String subscription, String wake, long generation) {}
