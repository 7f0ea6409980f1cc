package dev.semel;

import java.time.Duration;

/**
 * The execution that a duplicate met: which request it came from (empty when that one gave no id),
 * its attempt, how long ago it was claimed, and how long its record will still be kept. Ages are
 * for people and statistics; no decision depends on them.
 */
public record FirstExecution(String requestId, int attempt, Duration age, Duration retentionLeft) {}
