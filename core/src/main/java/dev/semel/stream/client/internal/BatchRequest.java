package dev.semel.stream.client.internal;

/**
 * One request of a producer.
 *
 * @param body empty only if it closes the stream and appends nothing
 * @param closes whether it closes the stream after the body
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record BatchRequest(String producer, long epoch, long seq, byte[] body, boolean closes) {}
