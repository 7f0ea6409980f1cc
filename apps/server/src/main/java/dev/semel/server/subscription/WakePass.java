package dev.semel.server.subscription;

/** What a token is good for: one wake of one subscription. */
record WakePass(String subscription, String wake, long generation) {}
