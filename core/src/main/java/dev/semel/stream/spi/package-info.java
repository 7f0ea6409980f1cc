/**
 * What an engine implements so that several servers can share streams: a {@link
 * dev.semel.stream.spi.SharedLog}.
 */
@NullMarked
package dev.semel.stream.spi;

import org.jspecify.annotations.NullMarked;
