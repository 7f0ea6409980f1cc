package dev.semel.server.subscription;

import java.util.List;
import java.util.Optional;

/**
 * What a holder says.
 *
 * @param done it is through with the wake
 */
record Held(String wake, long generation, List<Ack> acks, boolean done) {
  /** Together with what its token says. */
  Hold by(Optional<Pass> pass) {
    return new Hold(pass, wake, generation);
  }
}
