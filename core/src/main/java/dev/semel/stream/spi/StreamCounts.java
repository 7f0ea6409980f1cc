package dev.semel.stream.spi;

/**
 * What an engine did since it was opened, and what it holds.
 *
 * @param appends that were written
 * @param duplicates appends that were there already, and were answered as such
 * @param fenced appends of a producer whose later life has a higher epoch
 * @param refused all other appends that were not written
 * @param bytesIn of what was written
 * @param commits each of which many changes may share; one force where there is a journal
 * @param streams that there are, without what a server keeps for itself
 * @param journalBytes that a start would have to read, because no checkpoint has them; 0 where
 *     there is no journal
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
