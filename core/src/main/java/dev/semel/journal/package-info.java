/** What a journal refuses, and why: {@link dev.semel.journal.JournalException}. */
@NullMarked
package dev.semel.journal;

import org.jspecify.annotations.NullMarked;
