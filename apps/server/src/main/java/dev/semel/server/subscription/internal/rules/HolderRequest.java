package dev.semel.server.subscription.internal.rules;

import java.util.List;
import java.util.Optional;

/**
 * What a holder says.
 *
 * @param done it is through with the wake
 */
public record HolderRequest(
    String wake, long generation, List<SubscriptionAck> acks, boolean done) {
  /** Together with what its token says. */
  public WakeClaim by(Optional<WakePass> pass) {
    return new WakeClaim(pass, wake, generation);
  }
}
