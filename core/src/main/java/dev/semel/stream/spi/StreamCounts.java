package dev.semel.stream.spi;

/**
 * The counts of an engine since it was opened, and how much it holds.
 *
 * @param appends appends that were written
 * @param duplicates appends that were answered as duplicates
 * @param fenced appends of a producer that a newer epoch has fenced
 * @param refused all other appends that were not written
 * @param bytesIn the bytes that were written
 * @param commits each may hold many changes; one force each where there is a journal
 * @param streams the number of streams, without the server's internal ones
 * @param journalBytes bytes that a start would have to read, because no checkpoint has them; 0
 *     where there is no journal
 */
public record StreamCounts(
    long appends,
    long duplicates,
    long fenced,
    long refused,
    long bytesIn,
    long commits,
    long streams,
    long journalBytes) {}
