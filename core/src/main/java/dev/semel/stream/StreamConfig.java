package dev.semel.stream;

import java.util.Optional;

/** What is fixed when a stream is created. */
public record StreamConfig(ContentType type, Expiry expiry, Optional<Fork> fork) {
  public static StreamConfig of(ContentType type) {
    return new StreamConfig(type, Expiry.never(), Optional.empty());
  }
}
