package dev.semel.stream.client;

import dev.semel.stream.ContentType;
import dev.semel.stream.spi.StreamExpiry;

/**
 * Type, expiry and first body of a stream to create; see {@link DurableStream#create(NewStream)}.
 * Do not change its bytes.
 *
 * @param closed true: created closed, so the body is all that it will ever hold
 * @param body the first data, as sent over HTTP: a JSON array holds several messages
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record NewStream(ContentType type, StreamExpiry expiry, boolean closed, byte[] body) {
  /** An empty, open stream that never expires. */
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
