package dev.semel.inbox;

/** The result of handing a message to an {@link Inbox}. */
public sealed interface HandleResult {
  /** Whether the message took effect, now or before, so that its consumer may move past it. */
  default boolean isOver() {
    return this instanceof Done || this instanceof Duplicate;
  }

  /** Whether the message must come again; later messages with its ordering key wait for it. */
  default boolean stays() {
    return this instanceof Failed || this instanceof HeldBack;
  }

  /** Its effect is committed, together with its id. */
  record Done() implements HandleResult {}

  /** The message took effect before. */
  record Duplicate() implements HandleResult {}

  /**
   * The handler failed, and none of its writes are committed.
   *
   * @param forGood true: trying again is of no use
   */
  record Failed(Exception reason, boolean forGood) implements HandleResult {}

  /** An earlier message with the same ordering key failed, so this one was not tried. */
  record HeldBack() implements HandleResult {}

  /**
   * The message was started before and nobody can know how that ended, so it was not run again.
   * Only where the effect is outside the database; an operator has to look.
   */
  record InDoubt() implements HandleResult {}
}
