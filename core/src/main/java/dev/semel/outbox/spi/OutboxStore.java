package dev.semel.outbox.spi;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.outbox.RelayCounts;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The database as relays use it. Every call may fail with a {@link StoreException}, even after it
 * took effect, and may be repeated. The database's clock decides.
 */
public interface OutboxStore {
  /** The number of partitions. It never changes: a message's partition is part of its row. */
  int PARTITIONS = 16;

  int MAX_RELAY_LENGTH = 255;

  /** The partition of an ordering key; messages without one may be in any partition. */
  static int partition(String orderingKey) {
    int hash = orderingKey.hashCode();
    return ((hash * 0x9E3779B9) >>> 16) % PARTITIONS;
  }

  /** For stores: checks the arguments of a heartbeat. */
  static void requireRelay(String relay, Duration lease) {
    if (relay.isEmpty() || relay.length() > MAX_RELAY_LENGTH) {
      throw new InvalidInput(
          "a relay's name has 1 to %d characters, and this one has %d"
              .formatted(MAX_RELAY_LENGTH, relay.length()));
    }
    if (lease.toMillis() < 1) {
      throw new InvalidInput("the lease must last at least a millisecond");
    }
  }

  String describe();

  /**
   * Renews this relay's lease, and with it the lease of its partitions. Takes partitions that are
   * free, or whose relay was silent for its lease, while the relay has fewer than its share: {@link
   * #PARTITIONS} divided by the number of living relays, rounded up.
   *
   * @param relay never used by another relay, or by an earlier run of this one
   */
  PartitionAssignment heartbeat(String relay, Duration lease, RelayCounts counts);

  /** Releases these partitions, as far as the relay has them. */
  void release(String relay, Set<Integer> partitions);

  /** Releases everything: the relay will not come back. */
  void leave(String relay);

  /**
   * The next messages of each slice, in order.
   *
   * @param limitEach how many messages of each slice at most
   * @return messages of one partition are in the order of their places
   */
  List<OutboxEntry> read(List<ReadRange> slices, int limitEach);

  /** The messages of these partitions that failed before and must be tried again. */
  List<RetryingEntry> retrying(Set<Integer> partitions);

  /**
   * Removes messages that the broker has confirmed. That is true whichever relay reports it, so no
   * lease is checked.
   */
  void published(List<OutboxEntry> messages);

  /**
   * The broker refused the message, and it will be tried again after the pause.
   *
   * @return false: another relay has the partition now, or the message is gone; nothing was written
   */
  boolean failed(String relay, OutboxEntry message, String reason, Duration pause);

  /**
   * The broker will never take the message: makes it a dead letter. False: as in {@link #failed}.
   */
  boolean bury(String relay, OutboxEntry message, String reason);

  /**
   * Whether writers should ring for this relay's partitions, because it rests. Ringing costs
   * writers something, so a busy relay does without.
   */
  void resting(String relay, boolean resting);

  /**
   * Runs when a writer rings. A missed ring must lose nothing: it only makes the relay slower.
   *
   * @return closing it stops the calls
   */
  AutoCloseable onBell(Runnable ring);
}
