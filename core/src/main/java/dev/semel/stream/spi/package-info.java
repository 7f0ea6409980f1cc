/**
 * What an engine of streams implements, {@link dev.semel.stream.spi.Streams}, and what it
 * implements so that several servers can share streams, {@link dev.semel.stream.spi.SharedLog}.
 */
@NullMarked
package dev.semel.stream.spi;

import org.jspecify.annotations.NullMarked;
