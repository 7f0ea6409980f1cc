package dev.semel.transport;

/**
 * The broker has it.
 *
 * @param duplicate it had a message with this id before, and dropped this one
 * @param position where it is, in the broker's words; may be empty
 */
public record PublishResult(boolean duplicate, String position) {}
