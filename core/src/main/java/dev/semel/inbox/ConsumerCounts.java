package dev.semel.inbox;

/**
 * The counts of a {@link MessageConsumer} since it started.
 *
 * @param duplicates messages that were delivered again and did nothing
 * @param unconfirmed how often the broker did not confirm acknowledgements: it delivers those
 *     messages again
 * @param lag how many messages waited at the broker when it was last asked
 */
public record ConsumerCounts(
    long received, long done, long duplicates, long failed, long dead, long unconfirmed, long lag) {
  static final ConsumerCounts NONE = new ConsumerCounts(0, 0, 0, 0, 0, 0, 0);

  /** Counts one more message that the inbox got. */
  ConsumerCounts withReceived(HandleResult how) {
    long more = received + 1;
    return switch (how) {
      case HandleResult.Done d ->
          new ConsumerCounts(more, done + 1, duplicates, failed, dead, unconfirmed, lag);
      case HandleResult.Duplicate d ->
          new ConsumerCounts(more, done, duplicates + 1, failed, dead, unconfirmed, lag);
      case HandleResult.Failed f ->
          new ConsumerCounts(more, done, duplicates, failed + 1, dead, unconfirmed, lag);
      case HandleResult.HeldBack h ->
          new ConsumerCounts(more, done, duplicates, failed, dead, unconfirmed, lag);
      case HandleResult.InDoubt d ->
          new ConsumerCounts(more, done, duplicates, failed, dead, unconfirmed, lag);
    };
  }

  ConsumerCounts withDead() {
    return new ConsumerCounts(received, done, duplicates, failed, dead + 1, unconfirmed, lag);
  }

  ConsumerCounts withUnconfirmed() {
    return new ConsumerCounts(received, done, duplicates, failed, dead, unconfirmed + 1, lag);
  }

  ConsumerCounts withLag(long now) {
    return new ConsumerCounts(received, done, duplicates, failed, dead, unconfirmed, now);
  }
}
