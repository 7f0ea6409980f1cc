package dev.semel.inbox;

import java.time.Instant;

/**
 * Thrown instead of handling a message that is older than the ids that the inbox still has: nobody
 * can tell any more whether it took effect. It never will under this id. If you know that it did
 * not, send it again with a new id.
 */
public final class MessageTooOld extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The message names the time before which all ids were dropped. */
  public MessageTooOld(String id, Instant horizon) {
    super(
        "the message %s was made before %s, and the inbox dropped the ids of that time, so whether it took effect is not known any more: if it did not, send it with a new id"
            .formatted(id, horizon));
  }
}
