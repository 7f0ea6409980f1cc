package dev.semel.idempotency.spi;

import java.time.Duration;

/**
 * What became of a record that was brought from another store. The whole decision table is here,
 * the same for every store: what is there gives way only to a later moment of itself.
 */
public enum RecordImport {
  /** There was none: it is there now, with what was left of its times. */
  COPIED,
  /** What was there was an earlier moment of the same record, and was replaced. */
  UPDATED,
  /** The same is there. */
  SAME,
  /** What is there has gone further, and stays. */
  NEWER,
  /** Neither follows from the other: what is there stays, and someone should look. */
  DIFFERS,
  /** Its own retention had ended, so there was nothing to bring. */
  ENDED;

  /** Between reading and writing time passes; a lease is longer only beyond this. */
  static final Duration LEASE_TOLERANCE = Duration.ofSeconds(2);

  /** Whether the store has to write for it. */
  public boolean writes() {
    return this == COPIED || this == UPDATED;
  }

  /**
   * What follows where there is a record already.
   *
   * @param there the store's own, whose retention has not ended
   * @param brought the one from elsewhere
   */
  public static RecordImport meeting(StoredRecord there, StoredRecord brought) {
    int attempt = there.original().attempt();
    int broughtAttempt = brought.original().attempt();
    if (there.token().equals(brought.token()) && attempt == broughtAttempt) {
      return ofOneHolder(there, brought);
    }
    if (broughtAttempt > attempt) {
      // The source let the next attempt run, so the one before is over, whatever its copy says.
      return !there.state().ended() && drawnLater(brought, there) ? UPDATED : DIFFERS;
    }
    // One that is over, or still held elsewhere, and was taken over here: that ran twice.
    return attempt > broughtAttempt && replaceable(brought) ? NEWER : DIFFERS;
  }

  private static RecordImport ofOneHolder(StoredRecord there, StoredRecord brought) {
    if (there.state() == brought.state()) {
      if (there.state() == RecordState.IN_FLIGHT) {
        return brought.leaseLeft().minus(there.leaseLeft()).compareTo(LEASE_TOLERANCE) > 0
            ? UPDATED
            : SAME;
      }
      return there.payload().equals(brought.payload()) ? SAME : DIFFERS;
    }
    if (there.state() == RecordState.IN_FLIGHT) {
      return UPDATED;
    }
    return brought.state() == RecordState.IN_FLIGHT ? NEWER : DIFFERS;
  }

  /** Nobody holds it and nothing of it would be replayed: a next attempt may follow it. */
  private static boolean replaceable(StoredRecord record) {
    return switch (record.state()) {
      case RELEASED -> true;
      case IN_FLIGHT -> !record.leaseLeft().isPositive();
      case COMPLETED, FAILED -> false;
    };
  }

  /**
   * Whether a next attempt was also asked for later, as far as claimants' clocks can tell. It only
   * keeps back what the counters alone would allow: a key that was claimed anew in both stores.
   */
  private static boolean drawnLater(StoredRecord later, StoredRecord earlier) {
    return later.token().drawnAtMillis() >= earlier.token().drawnAtMillis();
  }
}
