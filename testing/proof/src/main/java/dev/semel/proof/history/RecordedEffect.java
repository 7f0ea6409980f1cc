package dev.semel.proof.history;

import dev.semel.Key;

/**
 * An effect of the work in the outside world.
 *
 * @param takenOver whether the work knew that an earlier attempt may have taken effect
 */
public record RecordedEffect(
    String client, Key key, int attempt, boolean takenOver, String value, long atNanos) {}
