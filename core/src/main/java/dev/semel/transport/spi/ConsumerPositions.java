package dev.semel.transport.spi;

import dev.semel.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The positions of consumers in logs, and which member reads which partition: kept in the database
 * of the consumer's effects, so that both move together. Every call may fail with a {@link
 * StoreException}, even after it took effect, and may be repeated. The database's clock decides.
 * Safe for use by many threads.
 */
public interface ConsumerPositions {
  /**
   * The partitions of a member after it renewed its lease.
   *
   * @param members how many are alive, this one included
   */
  record Share(int members, Set<String> partitions) {
    public Share {
      partitions = Set.copyOf(partitions);
    }

    /** How many of {@code all} partitions each member may have. */
    public int of(int all) {
      return (all + members - 1) / members;
    }
  }

  /** The consumer's position in each of these; empty: it never finished anything there. */
  Map<String, String> read(String consumer, Set<String> partitions);

  /**
   * Moves the consumer's positions; all of them or none.
   *
   * @throws PositionMoved a position is not where a step starts: another reader has moved it, and
   *     continues from there
   */
  void advance(String consumer, List<LogPosition> steps);

  /**
   * For logs whose broker does not assign partitions: renews this member's lease, and with it the
   * lease of its partitions. Takes partitions that are free, or whose member was silent for its
   * lease, while this member has fewer than its share.
   *
   * @param member never used by another member, or by an earlier run of this one
   */
  Share share(String consumer, String member, Set<String> partitions, Duration lease);

  /** Releases these partitions, as far as the member has them. */
  void release(String consumer, String member, Set<String> partitions);

  /** Releases everything: the member will not come back. */
  void leave(String consumer, String member);
}
