package dev.semel.stream.client;

import dev.semel.stream.ContentType;
import dev.semel.stream.spi.StreamExpiry;

/**
 * What a server says about a stream.
 *
 * @param tail the offset after the last message, where the next one will begin
 * @param closed whether nothing can be appended any more
 */
public record StreamInfo(ContentType type, String tail, boolean closed, StreamExpiry expiry) {}
