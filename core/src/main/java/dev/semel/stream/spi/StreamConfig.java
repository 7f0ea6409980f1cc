package dev.semel.stream.spi;

import dev.semel.stream.ContentType;
import java.util.Optional;

/** The settings that are fixed when a stream is created. */
public record StreamConfig(ContentType type, StreamExpiry expiry, Optional<StreamFork> fork) {
  public static StreamConfig of(ContentType type) {
    return new StreamConfig(type, StreamExpiry.never(), Optional.empty());
  }
}
