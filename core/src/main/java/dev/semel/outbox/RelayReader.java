package dev.semel.outbox;

import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.outbox.spi.ReadRange;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads messages of the relay's partitions, and asks writers to ring while there are none. For the
 * relay's thread.
 */
final class RelayReader {
  /** After this many non-empty reads in a row, writers need not ring. */
  private static final int BUSY_TURNS = 8;

  private static final long NEVER = -1;

  private final OutboxStore store;
  private final RelayLeases leases;
  private final int batch;

  /** The epoch of the leases for which writers were asked to ring; a later epoch must ask again. */
  private long ringing = NEVER;

  private int busyTurns;

  RelayReader(OutboxStore store, RelayLeases leases, int batch) {
    this.store = store;
    this.leases = leases;
    this.batch = batch;
  }

  /** The messages to send next, if any. */
  List<OutboxEntry> read(long now) {
    List<ReadRange> ranges = new ArrayList<>();
    leases.held().forEach(each -> ranges.addAll(each.slice(now)));
    if (ranges.isEmpty()) {
      return List.of();
    }
    List<OutboxEntry> found = store.read(ranges, batch);
    for (OutboxEntry each : found) {
      PartitionLease lease = leases.find(each.partition());
      if (lease == null) {
        throw new IllegalStateException("the store gave a message of another partition");
      }
      lease.read(each.place());
    }
    if (!found.isEmpty() && isRinging() && ++busyTurns >= BUSY_TURNS) {
      ring(false);
    }
    return found;
  }

  /**
   * Asks writers to ring, because there are no messages.
   *
   * @return false: they were not asked until now, so look once more for messages that came before
   */
  boolean rest() {
    busyTurns = 0;
    if (isRinging() || leases.held().isEmpty()) {
      return true;
    }
    ring(true);
    return false;
  }

  private boolean isRinging() {
    return ringing == leases.epoch();
  }

  private void ring(boolean wanted) {
    store.resting(leases.relay(), wanted);
    ringing = wanted ? leases.epoch() : NEVER;
    busyTurns = 0;
  }

  /** When the next held-back message is due, or {@code most} if that is earlier. */
  long nextDue(long most) {
    long due = most;
    for (PartitionLease each : leases.held()) {
      due = Math.min(due, each.nextDue(due));
    }
    return due;
  }
}
