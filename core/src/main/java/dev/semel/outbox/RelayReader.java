package dev.semel.outbox;

import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.outbox.spi.ReadRange;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads what the relay's partitions have, and has writers ring while they have nothing. For the
 * relay's thread.
 */
final class RelayReader {
  /** So many batches in a row, and writers need not ring. */
  private static final int BUSY_TURNS = 8;

  private static final long NEVER = -1;

  private final OutboxStore store;
  private final RelayLeases leases;
  private final int batch;

  /** Of the leases, when writers were asked to ring: others do not ring for later ones. */
  private long ringing = NEVER;

  private int busyTurns;

  RelayReader(OutboxStore store, RelayLeases leases, int batch) {
    this.store = store;
    this.leases = leases;
    this.batch = batch;
  }

  /** What may be sent next, if anything. */
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
   * Nothing is there, so writers shall ring.
   *
   * @return false: they did not know until now, and what came before is to be looked for once more
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

  /** When something that is held back is due, at most that time. */
  long nextDue(long most) {
    long due = most;
    for (PartitionLease each : leases.held()) {
      due = Math.min(due, each.nextDue(due));
    }
    return due;
  }
}
