package dev.semel.outbox.spi;

import java.util.Set;

/**
 * What a relay has after a heartbeat.
 *
 * @param relays how many live, this one included
 */
public record PartitionAssignment(int relays, Set<Integer> partitions) {
  public PartitionAssignment {
    partitions = Set.copyOf(partitions);
  }

  /** How many partitions a relay may have. */
  public int share() {
    return (OutboxStore.PARTITIONS + relays - 1) / relays;
  }
}
