package dev.semel.transport;

/**
 * The broker's confirmation of a message.
 *
 * @param duplicate the broker had a message with this id before, and dropped this one
 * @param position where the message is, in the broker's words; may be empty
 */
public record PublishResult(boolean duplicate, String position) {}
