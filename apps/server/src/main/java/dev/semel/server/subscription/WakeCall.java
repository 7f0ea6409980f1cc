package dev.semel.server.subscription;

/** Someone is to be told of a wake, once it is written down and if it is still in flight then. */
record WakeCall(String id, long generation) {}
