package dev.semel.proof.history;

import dev.semel.Key;

/**
 * The work took effect in the world outside.
 *
 * @param takenOver the work had been told that an earlier attempt may have taken effect
 */
public record RecordedEffect(
    String client, Key key, int attempt, boolean takenOver, String value, long atNanos) {}
