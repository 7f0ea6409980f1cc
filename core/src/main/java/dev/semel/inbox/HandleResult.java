package dev.semel.inbox;

/** What became of a message. */
public sealed interface HandleResult {
  /** Whether it took effect, now or before: its consumer stands behind it. */
  default boolean isOver() {
    return this instanceof Done || this instanceof Duplicate;
  }

  /** Whether it is to come again, and what has its ordering key waits for it. */
  default boolean stays() {
    return this instanceof Failed || this instanceof HeldBack;
  }

  /** Its effect is committed, together with its id. */
  record Done() implements HandleResult {}

  /** It took effect before. */
  record Duplicate() implements HandleResult {}

  /**
   * Its handler failed, and nothing of it is committed.
   *
   * @param forGood trying again is of no use
   */
  record Failed(Exception reason, boolean forGood) implements HandleResult {}

  /** One before it with the same ordering key failed, so it was not tried. */
  record HeldBack() implements HandleResult {}

  /**
   * It was started before and nobody knows how that ended, so it was not run again. Only where the
   * effect is outside the database: someone has to look.
   */
  record InDoubt() implements HandleResult {}
}
