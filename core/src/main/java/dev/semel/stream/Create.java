package dev.semel.stream;

import java.util.Optional;

/**
 * A request that a stream be there.
 *
 * @param type empty: the source's for a fork, else {@link ContentType#BYTES}
 * @param expiry {@link Expiry.Never} for a fork: the source's
 * @param closed born closed, so that the body is all it ever holds
 * @param body raw, because a fork's type is only known when its source is
 */
public record Create(
    StreamPath path,
    Optional<ContentType> type,
    Expiry expiry,
    boolean closed,
    Body body,
    Optional<Fork> fork) {

  /** An empty stream, open, that stays until it is deleted. */
  public static Create of(StreamPath path, ContentType type) {
    return new Create(path, Optional.of(type), Expiry.never(), false, Body.EMPTY, Optional.empty());
  }

  public static Create fork(StreamPath path, Fork fork) {
    return new Create(path, Optional.empty(), Expiry.never(), false, Body.EMPTY, Optional.of(fork));
  }

  public Create withBody(byte[] raw) {
    return new Create(path, type, expiry, closed, Body.of(ContentType.BYTES, raw), fork);
  }

  public Create withExpiry(Expiry other) {
    return new Create(path, type, other, closed, body, fork);
  }

  public Create bornClosed() {
    return new Create(path, type, expiry, true, body, fork);
  }
}
