package dev.semel.stream;

import java.util.Optional;

/** What is fixed when a stream is created. */
public record StreamConfig(ContentType type, StreamExpiry expiry, Optional<StreamFork> fork) {
  public static StreamConfig of(ContentType type) {
    return new StreamConfig(type, StreamExpiry.never(), Optional.empty());
  }
}
