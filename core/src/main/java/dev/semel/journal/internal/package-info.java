/**
 * A write-ahead log of opaque records: after any crash, committed records are there, in order and
 * once; uncommitted ones may be there, but never with a gap before them.
 *
 * <p>Invariants: a segment is forced before the next one's header is written, so at most one
 * segment ever holds bytes that may be lost. A record's checksum covers its number, so bytes of an
 * earlier use never look new. Recovery writes the last batch again and clears the rest before
 * anything is replayed or added.
 *
 * <p>Start at {@link dev.semel.journal.internal.Journal}; {@code JournalRecovery} decides what a
 * crash left; docs/journal-format.md has the bytes.
 */
@NullMarked
package dev.semel.journal.internal;

import org.jspecify.annotations.NullMarked;
