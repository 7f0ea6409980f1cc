package dev.semel.server.subscription.internal.rules;

import java.util.List;
import java.util.Optional;

/**
 * A request of a wake's holder.
 *
 * @param done whether the holder is through with the wake
 */
public record HolderRequest(
    String wake, long generation, List<SubscriptionAck> acks, boolean done) {
  /** Adds the content of the holder's token. */
  public WakeClaim by(Optional<WakePass> pass) {
    return new WakeClaim(pass, wake, generation);
  }
}
