package dev.semel.proof.flow;

/**
 * A process's note about a message or an entry.
 *
 * @param what in a word or two
 * @param id of the message or entry
 * @param detail more information; may be empty
 */
public record ProcessNote(long atNanos, String who, String what, String id, String detail) {}
