package dev.semel.outbox.spi;

import java.util.Set;

/**
 * A relay's partitions after a heartbeat.
 *
 * @param relays how many relays are alive, this one included
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
