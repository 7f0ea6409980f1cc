package dev.semel.idempotency.spi;

import java.time.Duration;

/**
 * The result of importing a record from another store. The whole decision table is here, the same
 * for every store: an existing record gives way only to a later state of itself.
 */
public enum RecordImport {
  /** There was no record: the import created it, with the rest of its times. */
  COPIED,
  /** The existing record was an earlier state of the same one, and was replaced. */
  UPDATED,
  /** The existing record is the same. */
  SAME,
  /** The existing record is a later state, and stays. */
  NEWER,
  /** Neither record follows from the other: the existing one stays, and an operator should look. */
  DIFFERS,
  /** The record's retention had ended, so there was nothing to import. */
  ENDED;

  /** Time passes between reading and writing; a lease counts as longer only beyond this. */
  static final Duration LEASE_TOLERANCE = Duration.ofSeconds(2);

  /** Whether the store has to write the record. */
  public boolean writes() {
    return this == COPIED || this == UPDATED;
  }

  /**
   * The result where a record exists already.
   *
   * @param there the existing record, whose retention has not ended
   * @param brought the imported record
   */
  public static RecordImport meeting(StoredRecord there, StoredRecord brought) {
    int attempt = there.original().attempt();
    int broughtAttempt = brought.original().attempt();
    if (there.token().equals(brought.token()) && attempt == broughtAttempt) {
      return ofOneHolder(there, brought);
    }
    if (broughtAttempt > attempt) {
      // The source let the next attempt run, so the earlier one is over, whatever its copy says.
      return !there.state().ended() && drawnLater(brought, there) ? UPDATED : DIFFERS;
    }
    // A record that ended or is still held elsewhere, and was taken over here: the work ran twice.
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

  /** Nobody holds the record and it has nothing to replay: a next attempt may follow. */
  private static boolean replaceable(StoredRecord record) {
    return switch (record.state()) {
      case RELEASED -> true;
      case IN_FLIGHT -> !record.leaseLeft().isPositive();
      case COMPLETED, FAILED -> false;
    };
  }

  /**
   * Whether a next attempt was also claimed later, as far as claimants' clocks can tell. This only
   * refuses a case that the counters alone would allow: a key that was newly claimed in both
   * stores.
   */
  private static boolean drawnLater(StoredRecord later, StoredRecord earlier) {
    return later.token().drawnAtMillis() >= earlier.token().drawnAtMillis();
  }
}
