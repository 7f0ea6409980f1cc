package dev.semel.stream.spi;

import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;

/**
 * A stream as seen from outside, at one moment.
 *
 * @param incarnation differs from that of every other stream that ever existed, even on the same
 *     path
 * @param start the oldest position that can still be read
 */
public record StreamHead(
    StreamPath path,
    StreamConfig config,
    long incarnation,
    Offset start,
    Offset tail,
    boolean closed) {}
