/** What an engine implements to keep the event log: {@link dev.semel.event.spi.EventStore}. */
@NullMarked
package dev.semel.event.spi;

import org.jspecify.annotations.NullMarked;
