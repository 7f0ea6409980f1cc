/** The translation of events into lines of the log, and the log in memory. */
@NullMarked
package dev.semel.event.internal;

import org.jspecify.annotations.NullMarked;
