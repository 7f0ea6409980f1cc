package dev.semel.inbox;

/**
 * What a consumer did since it started.
 *
 * @param duplicates came again and did nothing
 * @param unconfirmed how often the broker did not confirm acknowledgements: those come again
 * @param lag how many wait at the broker, when it was last asked
 */
public record ConsumerCounts(
    long received, long done, long duplicates, long failed, long dead, long unconfirmed, long lag) {
  static final ConsumerCounts NONE = new ConsumerCounts(0, 0, 0, 0, 0, 0, 0);

  ConsumerCounts plus(
      long received, long done, long duplicates, long failed, long dead, long unconfirmed) {
    return new ConsumerCounts(
        this.received + received,
        this.done + done,
        this.duplicates + duplicates,
        this.failed + failed,
        this.dead + dead,
        this.unconfirmed + unconfirmed,
        lag);
  }
}
