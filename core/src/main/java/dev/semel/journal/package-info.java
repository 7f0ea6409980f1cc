/** The reasons why a journal refuses: {@link dev.semel.journal.JournalException}. */
@NullMarked
package dev.semel.journal;

import org.jspecify.annotations.NullMarked;
