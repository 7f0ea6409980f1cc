package dev.semel.server.subscription.internal.rules;

import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import java.util.Optional;

/**
 * Acknowledges a stream up to an offset.
 *
 * @param offset empty: what was sent is none
 */
public record SubscriptionAck(StreamPath path, Optional<Offset> offset) {
  public SubscriptionAck(StreamPath path, Offset offset) {
    this(path, Optional.of(offset));
  }
}
