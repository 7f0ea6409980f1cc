package dev.semel.inbox;

import java.time.Instant;

/**
 * Why a message was not handled: ids of its time were dropped, so nobody can tell any more whether
 * it took effect. It never will under this id. Whoever knows that it did not may send it with a new
 * one.
 */
public final class MessageTooOld extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says before when all ids were dropped. */
  public MessageTooOld(String id, Instant horizon) {
    super(
        "the message %s was made before %s, and the inbox dropped the ids of that time, so whether it took effect is not known any more: if it did not, send it with a new id"
            .formatted(id, horizon));
  }
}
