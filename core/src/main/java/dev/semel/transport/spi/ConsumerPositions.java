package dev.semel.transport.spi;

import dev.semel.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where consumers stand in logs, and who reads which: kept in the database that holds their
 * effects, so that both move together. Every call may fail with a {@link StoreException}, also
 * after it took effect, and may be repeated. The database's clock decides. Safe for many threads.
 */
public interface ConsumerPositions {
  /**
   * What a member has after it said that it lives.
   *
   * @param members how many live, this one included
   */
  record Share(int members, Set<String> partitions) {
    public Share {
      partitions = Set.copyOf(partitions);
    }

    /** How many of so many partitions each may have. */
    public int of(int all) {
      return (all + members - 1) / members;
    }
  }

  /** Where the consumer stands in each of these; empty: it never finished anything there. */
  Map<String, String> read(String consumer, Set<String> partitions);

  /**
   * Moves on from where the consumer stands; all of them or none.
   *
   * @throws PositionMoved it does not stand there: another has moved it, and goes on from there
   */
  void advance(String consumer, List<LogPosition> steps);

  /**
   * For logs whose broker does not share them out: says that this member lives, for the lease's
   * time, and extends that for the partitions it has. Takes some that nobody has, or whose member
   * has not said a word for its lease's time, as long as it has fewer than its share.
   *
   * @param member never used by another, or by an earlier life of the same
   */
  Share share(String consumer, String member, Set<String> partitions, Duration lease);

  /** Gives these up, as far as the member has them. */
  void release(String consumer, String member, Set<String> partitions);

  /** Gives up everything: it will not come back. */
  void leave(String consumer, String member);
}
