/**
 * A write-ahead log of opaque records: what was committed is there after any crash, in order and
 * once; what was not may be there, but never with a gap before it.
 *
 * <p>Invariants: a segment is forced before the next one's header is written, so at most one
 * segment ever holds bytes that may be lost. A record's checksum covers its number, so bytes of an
 * earlier use never look new. Recovery writes the last batch again and clears what follows before
 * anything is handed out or added.
 *
 * <p>Start at {@link dev.semel.journal.internal.Journal}; {@code JournalRecovery} decides what a
 * crash left; docs/journal-format.md has the bytes.
 */
@NullMarked
package dev.semel.journal.internal;

import org.jspecify.annotations.NullMarked;
