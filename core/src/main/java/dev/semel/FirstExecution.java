package dev.semel;

import java.time.Duration;

/**
 * The execution whose record a duplicate found: its caller's request id (empty when there was
 * none), its attempt, how long ago it was claimed, and how long its record is still kept. Ages are
 * for people and statistics; no decision depends on them.
 */
public record FirstExecution(String requestId, int attempt, Duration age, Duration retentionLeft) {}
