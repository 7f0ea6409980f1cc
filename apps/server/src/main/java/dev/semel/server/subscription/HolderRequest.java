package dev.semel.server.subscription;

import java.util.List;
import java.util.Optional;

/**
 * What a holder says.
 *
 * @param done it is through with the wake
 */
record HolderRequest(String wake, long generation, List<SubscriptionAck> acks, boolean done) {
  /** Together with what its token says. */
  WakeClaim by(Optional<WakePass> pass) {
    return new WakeClaim(pass, wake, generation);
  }
}
