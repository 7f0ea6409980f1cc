package dev.semel.outbox.spi;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.outbox.RelayCounts;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What a relay asks of the database. Every call may fail with a {@link StoreException}, also after
 * it took effect, and may be repeated. The database's clock decides.
 */
public interface OutboxStore {
  /** How many there are, for good: a message's partition is part of its row. */
  int PARTITIONS = 16;

  int MAX_RELAY_LENGTH = 255;

  /** Where a message with this ordering key is; one without has any partition. */
  static int partition(String orderingKey) {
    int hash = orderingKey.hashCode();
    return ((hash * 0x9E3779B9) >>> 16) % PARTITIONS;
  }

  /** For stores: whether a heartbeat makes sense. */
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
   * Says that this relay lives, for the lease's time, and extends that for the partitions it has.
   * Takes some that nobody has, or whose relay has not said a word for its lease's time, as long as
   * it has fewer than its share: {@link #PARTITIONS} divided by the living relays, rounded up.
   *
   * @param relay never used by another, or by an earlier life of the same
   */
  PartitionAssignment heartbeat(String relay, Duration lease, RelayCounts counts);

  /** Gives these up, as far as the relay has them. */
  void release(String relay, Set<Integer> partitions);

  /** Gives up everything: it will not come back. */
  void leave(String relay);

  /**
   * The next messages of each slice, in order, at most so many of each.
   *
   * @return those of one partition are in the order of their places
   */
  List<OutboxEntry> read(List<ReadRange> slices, int limitEach);

  /** Those of the partitions that failed before and are to be tried again. */
  List<RetryingEntry> retrying(Set<Integer> partitions);

  /**
   * The broker has confirmed these: they leave the queue. That is true whoever says it, so no lease
   * is asked for.
   */
  void published(List<OutboxEntry> messages);

  /**
   * It was refused, and will be tried again after the pause.
   *
   * @return false: another relay has the partition now, or the message is gone; nothing was written
   */
  boolean failed(String relay, OutboxEntry message, String reason, Duration pause);

  /** It will never be taken: it becomes a dead letter. False: as in {@link #failed}. */
  boolean bury(String relay, OutboxEntry message, String reason);

  /**
   * Whether writers should ring for the partitions of this relay, because it rests. Ringing costs
   * writers something, so a busy relay does without.
   */
  void resting(String relay, boolean resting);

  /**
   * Calls when a writer rings. Nothing may be lost by a bell that is not heard: it is only sooner.
   *
   * @return ends it
   */
  AutoCloseable onBell(Runnable ring);
}
