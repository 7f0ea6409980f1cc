package dev.semel.proof.flow;

/**
 * Something that a process of a proof wrote down about a message or an entry.
 *
 * @param what in a word or two
 * @param id of what it is about
 * @param detail whatever else there is to say; may be empty
 */
public record ProcessNote(long atNanos, String who, String what, String id, String detail) {}
