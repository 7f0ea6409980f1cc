package dev.semel.stream.client;

import java.util.Optional;

/**
 * A batch is in the stream, once.
 *
 * @param messages how many it holds
 * @param next the stream's end behind it; empty where only the answer to a later batch told that
 *     this one is there, too
 */
public record ProducerAck(long epoch, long seq, int messages, Optional<String> next) {}
