package dev.semel.outbox;

/** The counts of a {@link Relay} since it started, for monitoring. */
public record RelayCounts(long published, long duplicates, long failed, long dead, int inFlight) {
  public static final RelayCounts NONE = new RelayCounts(0, 0, 0, 0, 0);

  /**
   * Adds messages that the broker confirmed, some of which it had before; none is in flight now.
   */
  RelayCounts withPublished(long more, long ofThemDuplicates) {
    return new RelayCounts(published + more, duplicates + ofThemDuplicates, failed, dead, 0);
  }

  /** Adds a message that the broker refused. */
  RelayCounts withFailed(boolean isDead) {
    return new RelayCounts(published, duplicates, failed + 1, dead + (isDead ? 1 : 0), 0);
  }

  RelayCounts withInFlight(int now) {
    return new RelayCounts(published, duplicates, failed, dead, now);
  }
}
