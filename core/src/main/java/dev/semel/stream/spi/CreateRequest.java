package dev.semel.stream.spi;

import dev.semel.stream.ContentType;
import dev.semel.stream.StreamPath;
import java.util.Optional;

/**
 * A request to create a stream unless it exists.
 *
 * @param type empty: the source's for a fork, else {@link ContentType#BYTES}
 * @param expiry {@link StreamExpiry.Never} for a fork: the source's
 * @param closed true: created closed, so the body is all that it will ever hold
 * @param body raw, because a fork's type is only known with its source
 */
public record CreateRequest(
    StreamPath path,
    Optional<ContentType> type,
    StreamExpiry expiry,
    boolean closed,
    AppendBody body,
    Optional<StreamFork> fork) {

  /** An empty, open stream that never expires. */
  public static CreateRequest of(StreamPath path, ContentType type) {
    return new CreateRequest(
        path, Optional.of(type), StreamExpiry.never(), false, AppendBody.EMPTY, Optional.empty());
  }

  public static CreateRequest fork(StreamPath path, StreamFork fork) {
    return new CreateRequest(
        path, Optional.empty(), StreamExpiry.never(), false, AppendBody.EMPTY, Optional.of(fork));
  }

  public CreateRequest withBody(byte[] raw) {
    return new CreateRequest(
        path, type, expiry, closed, AppendBody.of(ContentType.BYTES, raw), fork);
  }

  public CreateRequest withExpiry(StreamExpiry other) {
    return new CreateRequest(path, type, other, closed, body, fork);
  }

  public CreateRequest bornClosed() {
    return new CreateRequest(path, type, expiry, true, body, fork);
  }
}
