package dev.semel.stream.client;

import java.util.Optional;

/**
 * The acknowledgement of a batch: it is in the stream, once.
 *
 * @param messages how many it holds
 * @param next the stream's end after it; empty where only the answer to a later batch showed that
 *     this one is there too
 */
public record ProducerAck(long epoch, long seq, int messages, Optional<String> next) {}
