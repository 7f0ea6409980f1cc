package dev.semel.jdbc;

import dev.semel.InvalidInput;
import java.time.Duration;

/**
 * Settings of {@link InboxPartitions}: how the inbox table is partitioned by the time in its ids.
 *
 * @param width the time span of one partition, in whole hours; can't be changed later
 * @param ahead how many future partitions exist; maintenance may be down for that long
 * @param keep how long after its id was created a message may arrive; later messages are refused.
 *     Longer than sender, relay and broker ever need, redeliveries included
 */
public record InboxPartitionSettings(Duration width, int ahead, Duration keep) {
  public static final Duration MAX_WIDTH = Duration.ofDays(366);
  public static final int MAX_AHEAD = 100;

  /** A limit, because a statement that names no ids visits every partition. */
  public static final int MAX_PARTITIONS = 1000;

  private static final Duration HOUR = Duration.ofHours(1);

  public InboxPartitionSettings {
    if (width.compareTo(HOUR) < 0
        || width.compareTo(MAX_WIDTH) > 0
        || width.toMillis() % HOUR.toMillis() != 0) {
      throw new InvalidInput(
          "a partition of the inbox is of whole hours, between 1 and %d"
              .formatted(MAX_WIDTH.toHours()));
    }
    if (ahead < 1 || ahead > MAX_AHEAD) {
      throw new InvalidInput("between 1 and %d partitions are made ahead".formatted(MAX_AHEAD));
    }
    if (keep.compareTo(width) < 0) {
      throw new InvalidInput("ids are kept for at least the time of one partition, " + width);
    }
    if (keep.dividedBy(width) + ahead > MAX_PARTITIONS) {
      throw new InvalidInput(
          "that makes more than %d partitions: let each be of a longer time"
              .formatted(MAX_PARTITIONS));
    }
  }

  /** Daily partitions, created a week ahead. */
  public static InboxPartitionSettings keeping(Duration keep) {
    return new InboxPartitionSettings(Duration.ofDays(1), 7, keep);
  }

  public InboxPartitionSettings withWidth(Duration value) {
    return new InboxPartitionSettings(value, ahead, keep);
  }

  public InboxPartitionSettings withAhead(int value) {
    return new InboxPartitionSettings(width, value, keep);
  }
}
