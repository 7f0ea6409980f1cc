package dev.semel.stream.client.internal;

/**
 * One request of a producer.
 *
 * @param body empty only where it closes the stream and appends nothing
 * @param closes whether the stream is closed behind it
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares these
public record BatchRequest(String producer, long epoch, long seq, byte[] body, boolean closes) {}
