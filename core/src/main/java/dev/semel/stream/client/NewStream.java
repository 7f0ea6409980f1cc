package dev.semel.stream.client;

import dev.semel.stream.ContentType;
import dev.semel.stream.spi.StreamExpiry;

/**
 * What a stream should be when it is created. The bytes belong to it: don't change them.
 *
 * @param closed born closed: the body is all that it will ever hold
 * @param body what it begins with, as it goes over the wire: a JSON array holds several messages
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares these
public record NewStream(ContentType type, StreamExpiry expiry, boolean closed, byte[] body) {
  /** Empty, open, without an end. */
  public static NewStream of(ContentType type) {
    return new NewStream(type, StreamExpiry.never(), false, new byte[0]);
  }

  public NewStream withExpiry(StreamExpiry next) {
    return new NewStream(type, next, closed, body);
  }

  public NewStream withBody(byte[] first) {
    return new NewStream(type, expiry, closed, first);
  }

  public NewStream bornClosed() {
    return new NewStream(type, expiry, true, body);
  }
}
